import 'reflect-metadata';
import { randomUUID } from 'node:crypto';
import type { Environment } from '@opendsr-service/config';
import { Service } from '../testing/service';
import { World } from '../testing/world';

let world: World;
let service: Service;
beforeAll(async () => {
  world = await World.open();
});
afterEach(() => service.stop());
afterAll(() => world.close());

const start = async (environment?: Environment) => void (service = await Service.start(world, environment));
const create = (hosts: readonly string[], more: object = {}): Promise<Response> =>
  service.call('POST', '/v2/requests', {
    body: {
      ...{
        regulation: 'gdpr',
        subject_request_id: randomUUID(),
        subject_request_type: 'access',
        submitted_time: '2026-11-20',
      },
      ...{
        subject_identities: [
          { identity_type: 'controller_customer_id', identity_value: randomUUID(), identity_format: 'raw' },
        ],
      },
      ...{ status_callback_urls: hosts.map((host) => `https://${host}/dsr`), ...more },
    },
  });
const faultsOf = async (answer: Promise<Response>): Promise<[number, string[]]> => {
  const { code, errors } = (await (await answer).json()) as { code: number; errors: { message: string }[] };
  return [code, errors.map(({ message }) => message)];
};
const refused = (n: number) => `status_callback_urls[${n}] names a host that callbacks are not sent to`;

it('a create is refused with the index of each callback URL that has or resolves to a refused address', async () => {
  await start();
  expect((await create(['controller.example', 'a.controller.example'])).status).toBe(201);
  expect(
    await faultsOf(create(['controller.example', 'controller.example', 'inside.example', 'a.inside.example'])),
  ).toEqual([400, [refused(2), refused(3)]]);
  expect(await faultsOf(create(['controller.example', '10.0.0.1']))).toEqual([400, [refused(1)]]);
});

it('host names are resolved only if the body has no other fault', async () => {
  await start();
  expect(await faultsOf(create(['inside.example'], { submitted_time: 'x' }))).toEqual([
    400,
    ['submitted_time must be an ISO 8601 date-time'],
  ]);
});

it('hosts that the operator allows by name or by range are accepted', async () => {
  await start({ CALLBACK_ALLOW_HOSTS: 'inside.example' });
  expect((await create(['inside.example'])).status).toBe(201);
  expect((await create(['a.inside.example'])).status).toBe(400);
  await service.stop();
  await start({ CALLBACK_ALLOW_CIDRS: '10.0.0.0/8' });
  expect((await create(['a.inside.example'])).status).toBe(201);
});

it('an operator can switch off the resolution of host names at creates', async () => {
  await start({ CALLBACK_RESOLVE_AT_CREATE_MS: '0' });
  expect((await create(['inside.example'])).status).toBe(201);
});
