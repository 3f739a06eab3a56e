import { until } from '../receiver/until';
import { watchCallbacks } from './callback-watch';
import { concurrently } from './concurrently';
import { requestBody } from './controller';
import { startFiveProcesses } from './five-processes';
import { awaitEnds, awaitStatus } from './follow';
import { OwnKafka } from './own-kafka';
import { closeWorld, identitiesOf, openWorld, rulesOn, somebody, warmUp, type World } from './world';

const { DSR_TEST_MONGODB_URI: mongodbUri, DSR_TEST_SERVERS: servers, DSR_REQUIRE_SERVERS: required } = process.env;
const REQUESTS = 30;
const AT_ONCE = 8;
/** The broker needs a while to serve again, and the consumers to find their places. */
const BACK_MS = 90_000;

describe('five processes while Kafka is away', () => {
  if (!mongodbUri || !servers) {
    // The broker is killed, so it cannot be the shared one.
    if (required === '1') throw new Error('DSR_TEST_MONGODB_URI and DSR_TEST_SERVERS must be set');
    it.skip('need a broker of their own', () => undefined);
    return;
  }

  let kafka: OwnKafka | undefined;
  let world: World | undefined;
  const rule = rulesOn(() => world as World);

  beforeAll(async () => {
    const own = (kafka = await OwnKafka.start(servers));
    world = await openWorld(() => startFiveProcesses({ kafkaBrokers: own.address, mongodbUri }));
    await warmUp(world);
  });
  afterAll(async () => {
    if (world) await closeWorld(world);
    await kafka?.stop();
  });

  rule('requests are taken, started and cancelled, and all of it is delivered once it is back', async (here) => {
    const { controller } = here;
    await kafka?.kill();
    const lives = await concurrently(Array.from({ length: REQUESTS }), AT_ONCE, async (_nothing, n) => {
      const watch = watchCallbacks(here);
      const cancels = n % 3 === 0;
      const body = requestBody({
        subject_request_type: cancels ? 'portability' : 'access',
        subject_identities: identitiesOf(somebody(here)),
        status_callback_urls: [watch.url],
      });
      const created = await controller.create(body);
      const cancelled = cancels ? await controller.cancel(body.subject_request_id) : undefined;
      return { id: body.subject_request_id, watch, answers: [created.status, cancelled?.status], cancels };
    });
    expect(lives.map(({ answers }) => answers)).toEqual(lives.map(({ cancels }) => [201, cancels ? 202 : undefined]));
    await awaitStatus(controller, lives[1]?.id ?? '', 'in_progress');
    expect(lives.flatMap(({ watch }) => watch.seen)).toEqual([]);

    await kafka?.startAgain();
    const ends = await awaitEnds(controller, lives.map(({ id }) => id), BACK_MS);
    expect(lives.map(({ id }) => ends.get(id))).toEqual(lives.map(({ cancels }) => (cancels ? 'cancelled' : 'completed')));
    for (const { watch, cancels } of lives) {
      const expected = cancels ? ['pending', 'cancelled'] : ['pending', 'in_progress', 'completed'];
      await until('the last callback of a request', () => watch.statuses().length === expected.length);
      expect(watch.statuses()).toEqual(expected);
      expect(watch.seen.flatMap(({ faults }) => faults)).toEqual([]);
      expect(watch.seen.every(({ shown }) => shown)).toBe(true);
    }
  });
});
