import type { Environment } from '@opendsr-service/config';
import { Service, type namedSigners, type Surroundings } from './service';
import { World } from './world';

/** One world for all tests of a file and the gateway that serves it, from before the first test to after the last one. */
export function serveForTests(
  environment?: Environment,
  signers?: ReturnType<typeof namedSigners>,
  around?: Partial<Surroundings>,
) {
  const served = {} as { world: World; service: Service };
  beforeAll(async () => {
    served.world = await World.open();
    served.service = await Service.start(served.world, environment, signers, around);
  });
  afterAll(async () => {
    await served.service.stop();
    await served.world.close();
  });
  return served;
}
