import { isDeepStrictEqual } from 'node:util';
import { until } from '../receiver/until';
import { watchCallbacks } from './callback-watch';
import { concurrently } from './concurrently';
import { json, raw, requestBody, send, type Answer } from './controller';
import { startFiveProcesses } from './five-processes';
import { describeInFull } from './full';
import { awaitEnds, awaitResult, awaitStatus } from './follow';
import { OwnServer } from './own-server';
import { closeWorld, identitiesOf, openWorld, rulesOn, somebody, ingestPerson, warmUp, type World } from './world';

const { DSR_TEST_SERVERS: servers, DSR_REQUIRE_OWN_SERVERS: required } = process.env;
const REQUESTS = 30;
const AT_ONCE = 8;
/** The broker needs a while to serve again, and the consumers to find their places. */
const BACK_MS = 90_000;
/** What an outage takes, and all that is waited for after it. */
const RULE_MS = 420_000;
const FAILED = '"msg":"A request failed"';

// In the short form the fault suite kills a broker, and specs of the services close their stores.
describeInFull('five processes while a server is away', () => {
  if (!servers) {
    // The servers are killed, so they cannot be the shared ones.
    if (required === '1') throw new Error('DSR_TEST_SERVERS must be set');
    it.skip('need servers of their own', () => undefined);
    return;
  }

  let own: { readonly kafka: OwnServer; readonly mongod: OwnServer } | undefined;
  let world: World | undefined;
  const rule = rulesOn(() => world as World);

  beforeAll(async () => {
    const [kafka, mongod] = await Promise.all([OwnServer.kafka(servers), OwnServer.mongod(servers)]);
    own = { kafka, mongod };
    world = await openWorld(() => startFiveProcesses({ kafkaBrokers: kafka.address, mongodbUri: mongod.address }));
    await warmUp(world);
  });
  afterAll(async () => {
    // Their data goes with the servers, whichever are away.
    try {
      if (world) await closeWorld(world);
    } finally {
      await Promise.all([own?.kafka.stop(), own?.mongod.stop()]);
    }
  });

  rule(
    'without MongoDB every call that needs it is answered 503 with Retry-After, and no 201 is lost',
    async (here) => {
      const { controller } = here;
      const person = somebody(here);
      await ingestPerson(here, person);
      const before = requestBody({ subject_identities: identitiesOf(person) });
      await controller.create(before);
      const { record } = await awaitResult(controller, before.subject_request_id);

      let killed: Promise<unknown> | undefined;
      // All at once, and the first answer is the end of the server: each that meets the outage waits some seconds for
      // it before it is refused.
      const creates = concurrently(Array.from({ length: REQUESTS }), REQUESTS, async (_nothing, n) => {
        // Those of the first half that were admitted are taken yet, be it all of them; the others find no server for certain.
        if (n >= REQUESTS / 2) {
          await until('the first answer', () => killed !== undefined);
          await killed;
        }
        const body = requestBody({ subject_identities: identitiesOf(somebody(here)) });
        const answer = await controller.create(body);
        killed ??= own?.mongod.kill();
        return { body, answer };
      });
      await until('a request to be taken', () => killed !== undefined);
      await killed;
      const [taken, away] = await Promise.all([
        creates,
        callsOf(here, before.subject_request_id, record.results_url ?? ''),
      ]);
      expect(
        here.service.processes.flatMap(({ output }) => output.split('\n').filter((line) => line.includes(FAILED))),
      ).toEqual([]);
      const refused = taken.filter(({ answer }) => answer.status !== 201);
      expect(refused.length).toBeGreaterThanOrEqual(REQUESTS / 2);
      for (const answer of [...refused.map(({ answer: one }) => one), ...away.dsr])
        expectAway(answer, { code: 503, errors: [{ reason: 'UnavailableException' }] });
      for (const answer of away.ingest) expectAway(answer, { errors: [{ code: 'SERVICE_UNAVAILABLE' }] });
      expect(away.open.map(({ status }) => status)).toEqual([200, 200]);
      expect(await readiness(here)).toEqual(allAre(here, 'degraded'));

      await own?.mongod.startAgain();
      await until(
        'a request to be known to every gateway again',
        () => isKnown(here, before.subject_request_id),
        BACK_MS,
      );
      // A refused create may have been admitted, as after any 503.
      const again = await concurrently(refused, AT_ONCE, async ({ body }) => (await controller.create(body)).status);
      expect(again.filter((status) => status !== 201 && status !== 400)).toEqual([]);
      const ends = await awaitEnds(
        controller,
        taken.map(({ body }) => body.subject_request_id),
        BACK_MS,
      );
      expect([...ends.values()].filter((status) => status !== 'completed')).toEqual([]);
    },
    RULE_MS,
  );

  rule(
    'without Kafka requests are accepted, started and cancelled, and delivered once it is back',
    async (here) => {
      const { controller } = here;
      await own?.kafka.kill();
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
      await until('every process to say that it is degraded', async () =>
        isDeepStrictEqual(await readiness(here), allAre(here, 'degraded')),
      );

      await own?.kafka.startAgain();
      const ends = await awaitEnds(
        controller,
        lives.map(({ id }) => id),
        BACK_MS,
      );
      expect(lives.map(({ id }) => ends.get(id))).toEqual(
        lives.map(({ cancels }) => (cancels ? 'cancelled' : 'completed')),
      );
      for (const { watch, cancels } of lives) {
        const expected = cancels ? ['pending', 'cancelled'] : ['pending', 'in_progress', 'completed'];
        await until('the last callback of a request', () => watch.statuses().length === expected.length, BACK_MS);
        expect(watch.statuses()).toEqual(expected);
        expect(watch.seen.flatMap(({ faults }) => faults)).toEqual([]);
        expect(watch.seen.every(({ shown }) => shown)).toBe(true);
      }
      await until(
        'every process to be well again',
        async () => isDeepStrictEqual(await readiness(here), allAre(here, 'ok')),
        BACK_MS,
      );
    },
    RULE_MS,
  );
});

/** Whether each gateway knows a request: a controller's calls go to them in turn. */
const isKnown = async ({ controller, service }: World, id: string): Promise<boolean> =>
  (await Promise.all(service.baseUrls.map(() => controller.read(id)))).every(({ status }) => status === 200);

/** What each process says of itself to a probe. */
const readiness = ({ service }: World) =>
  Promise.all(
    service.parts().map(async ({ name, adminUrl }) => {
      const answer = await fetch(`${adminUrl}/readyz`);
      return [name, answer.status, ((await answer.json()) as { status: string }).status];
    }),
  );

const allAre = ({ service }: World, status: string) => service.parts().map(({ name }) => [name, 200, status]);

/**
 * Every kind of call at once: requests, also with unknown credentials; results; ingestion; and calls without a store.
 */
async function callsOf({ controller, service }: World, id: string, resultsUrl: string) {
  const strangers = { authorization: `Basic ${Buffer.from('stranger:secret').toString('base64')}` };
  const body = (type: string) =>
    requestBody({ subject_request_type: type, subject_identities: [raw('email', 'away@example.com')] });
  const person = { user_identities: { email: 'away@example.com' }, environment: 'production' };
  const [dsr, ingest, open] = await Promise.all([
    Promise.all([
      ...[
        controller.create(body('erasure')),
        controller.create(body('portability')),
        controller.read(id),
        controller.read(id),
        controller.list('away'),
        controller.cancel(id),
      ],
      ...[
        controller.call('GET', `${controller.path}/${id}`, undefined, strangers),
        controller.call('POST', controller.path, '{', strangers),
        send(resultsUrl),
      ],
    ]),
    Promise.all([
      ...[
        controller.ingest('/v1/identify', person),
        controller.ingest('/v1/search', person),
        controller.ingest('/v2/events', { ...person, events: [] }),
      ],
      controller.ingestText('/v1/identify', '{', strangers),
    ]),
    Promise.all(
      ['discovery', 'certificates/opendsr.pem'].map((path) => send(`${service.baseUrls[0] ?? ''}/v2/${path}`)),
    ),
  ]);
  return { dsr, ingest, open };
}

function expectAway(answer: Answer, body: object): void {
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, expect.stringMatching(/^[1-9]\d*$/)]);
  expect(json<object>(answer)).toMatchObject(body);
}
