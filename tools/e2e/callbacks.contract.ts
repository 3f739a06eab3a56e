import { randomUUID } from 'node:crypto';
import { V1, V2, type ProtocolVersion } from '@opendsr-service/contracts';
import { accepted, Receiver, type Callback } from '../receiver/receiver';
import { signatureFaults, type Trust } from '../receiver/verification';
import { until } from '../receiver/until';
import { entries, ledger, replay, type Entry } from './callback-ledger';
import { watchCallbacks } from './callback-watch';
import { Controller, json, requestBody } from './controller';
import { freePorts } from './free-ports';
import { identitiesOf, somebody, type Rule, type World } from './world';

/** Attempts without a connection appear only after the longest possible attempt. */
const TRIED_MS = 60_000;

/** Waits until the first callback of a request stands as it should. */
const awaitEntry = (
  what: string,
  controller: Controller,
  id: string,
  stands: (entry: Entry) => boolean,
): Promise<Entry> => until(`a callback ${what}`, async () => (await entries(controller, id)).find(stands));

/** Portability requests stay pending: they have one callback for each URL. */
const pending = (world: World, version: ProtocolVersion, urls: readonly string[]) =>
  requestBody(
    {
      subject_request_type: 'portability',
      subject_identities: identitiesOf(somebody(world)),
      status_callback_urls: urls,
    },
    version,
  );

const outcomes = ({ attempts }: Entry) =>
  attempts.map(({ attempt, outcome, http_status }) => [attempt, outcome, http_status]);
const idOf = ({ headers }: Callback) => headers['x-delivery-id'];

const versions = ({ service }: World) =>
  [
    [V2, service.trust],
    [V1, service.trustV1],
  ] as const;

/** What a controller sees of its callbacks, and has sent again: an addition of ours to the interface. */
export function replayRule(rule: Rule): void {
  rule(
    'a callback that fails twice shows each attempt, and a replay sends the same bytes under the same id again',
    async (world) => {
      await Promise.all(versions(world).map(([version, trust]) => failTwiceAndReplay(world, version, trust)));
    },
  );
}

export function foreignCallbackRule(rule: Rule): void {
  rule(
    'callbacks of another workspace are answered byte for byte like unknown ones and cannot be replayed',
    async (world) => {
      const { controller, service } = world;
      const stranger = new Controller({ ...service, ...(await service.other()) });
      const watch = watchCallbacks(world);
      const body = pending(world, V2, [watch.url]);
      const id = body.subject_request_id;
      await controller.create(body);
      const { delivery_id } = await awaitEntry(
        'that is delivered',
        controller,
        id,
        ({ state }) => state === 'delivered',
      );
      // From here on no further delivery may arrive.
      const arrived = world.receiver.received(watch.path).length;
      const foreign = [await ledger(stranger, id), await replay(stranger, id, delivery_id)];
      const unknown = [
        await ledger(stranger, randomUUID()),
        await replay(stranger, randomUUID(), delivery_id),
        await replay(controller, id, randomUUID()),
      ];
      const [expected] = unknown.map(({ body: text }) => text.toString());
      for (const { status, body: text } of [...foreign, ...unknown])
        expect([status, text.toString()]).toEqual([404, expected]);
      expect(world.receiver.received(watch.path)).toHaveLength(arrived);
      expect(watch.withoutRepeats()).toHaveLength(1);
    },
  );
}

/** It waits as long as an attempt may take. */
export function unreachableRule(rule: Rule): void {
  rule('an unreachable address is shown only as unreachable, for every reason, and is retried', async (world) => {
    const { controller } = world;
    const [closed = 0] = await freePorts(1);
    // The first address is closed, and the second does not use TLS.
    const deaf = await Receiver.start(undefined);
    try {
      const urls = [`https://127.0.0.1:${String(closed)}/callbacks`, deaf.url('/callbacks')];
      const body = pending(world, V2, urls);
      const id = body.subject_request_id;
      expect((await controller.create(body)).status).toBe(201);
      const tried = await until(
        'tries of both',
        async () => {
          const all = await entries(controller, id);
          return all.length === 2 && all.every(({ attempt_count }) => attempt_count > 0) && all;
        },
        TRIED_MS,
      );
      for (const { delivery_id, attempts, state } of tried) {
        expect(state).toBe('waiting');
        for (const attempt of attempts)
          expect(attempt).toEqual({
            attempt: expect.any(Number) as number,
            time: expect.any(String) as string,
            outcome: 'unreachable',
            http_status: null,
            duration_ms: null,
          });
        expect((await replay(controller, id, delivery_id)).status).toBe(400);
      }
      expect(tried.map(({ status_callback_url }) => status_callback_url).sort()).toEqual([...urls].sort());
    } finally {
      await deaf.close();
    }
  });
}

async function failTwiceAndReplay(world: World, version: ProtocolVersion, trust: Trust): Promise<void> {
  const { receiver, service } = world;
  const controller = new Controller(service, version);
  const path = `/${world.planted.text}/${randomUUID()}`;
  receiver.answer(path, (_callback, earlier) => (earlier.length < 2 ? { status: 500 } : accepted));
  const body = pending(world, version, [receiver.url(path)]);
  const id = body.subject_request_id;
  expect((await controller.create(body)).status).toBe(201);
  const delivered = await awaitEntry('that is delivered', controller, id, ({ state }) => state === 'delivered');
  expect(delivered).toMatchObject({
    status_callback_url: receiver.url(path),
    request_status: 'pending',
    attempt_count: 3,
    next_attempt_time: null,
  });
  expect(outcomes(delivered)).toEqual([
    [1, 'rejected', 500],
    [2, 'rejected', 500],
    [3, 'delivered', 202],
  ]);

  const answer = await replay(controller, id.toUpperCase(), delivered.delivery_id.toUpperCase());
  expect([answer.status, json<Entry>(answer).delivery_id]).toEqual([202, delivered.delivery_id]);
  for (const signed of [answer, await ledger(controller, id)])
    expect(await signatureFaults(signed.body, (name) => signed.headers.get(name) ?? undefined, trust, version)).toEqual(
      [],
    );
  const [first, ...rest] = await receiver.wait(path, 4);
  for (const again of rest)
    expect([idOf(again), again.body.equals(first?.body ?? Buffer.of())]).toEqual([delivered.delivery_id, true]);
  const replayed = await awaitEntry(
    'that is delivered again',
    controller,
    id,
    ({ attempt_count }) => attempt_count === 4,
  );
  expect(outcomes(replayed).at(-1)).toEqual([4, 'delivered', 202]);
}
