import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../receiver/until';
import { watchCallbacks, type CallbackWatch } from './callback-watch';
import { concurrently } from './concurrently';
import { requestBody, send } from './controller';
import { awaitEnds, awaitResult } from './follow';
import { ACCESS_WAIT_MS } from './service';
import { ingestPersonFully, FULL_PERSON_MS } from './ingest-person-fully';
import { FULL } from './full';
import { identitiesOf, somebody, warmUp, type Person, type Rule, type World } from './world';

const LIVES = FULL ? 80 : 40;
const AT_ONCE = 8;
/** Long enough that a busy machine fetches the archive first. */
const VALIDITY_MS = 10_000;
const CLAIM_MS = 150_000;

interface Life {
  readonly id: string;
  readonly created: boolean;
  readonly cancelled: boolean;
  readonly watch: CallbackWatch;
}

/** A create and, for every third, a DELETE soon after. A call without an answer because of the crash proves nothing. */
async function live(world: World, n: number): Promise<Life> {
  const watch = watchCallbacks(world);
  const body = requestBody({ subject_identities: identitiesOf(somebody(world)), status_callback_urls: [watch.url] });
  const statusOf = (call: Promise<{ status: number }>) =>
    call.then(
      ({ status }) => status,
      () => undefined,
    );
  const created = (await statusOf(world.controller.create(body))) === 201;
  const cancelled =
    created && n % 3 === 0 && (await statusOf(world.controller.cancel(body.subject_request_id))) === 202;
  return { id: body.subject_request_id, created, cancelled, watch };
}

/**
 * The expected callbacks. Callbacks under way at the crash are repeated after their claim, which only the full form
 * awaits.
 */
async function callbacksOf(lives: readonly Life[], ends: ReadonlyMap<string, string>) {
  const expectations = lives.map(({ id, watch }) => ({
    watch,
    expected: ends.get(id) === 'cancelled' ? ['pending', 'cancelled'] : ['pending', 'in_progress', 'completed'],
  }));
  const isComplete = ({ watch, expected }: (typeof expectations)[number]) =>
    watch.statuses().length === expected.length;
  await until(
    'callbacks after the crash',
    () => (FULL ? expectations.every(isComplete) : expectations.some(isComplete)),
    CLAIM_MS,
  );
  return expectations;
}

/** Kills every process among calls, and answers what was created before, once the service runs again. */
async function crashed(world: World): Promise<readonly Life[]> {
  const half = Promise.withResolvers<undefined>();
  const lives = concurrently(Array.from({ length: LIVES }), AT_ONCE, async (_nothing, n) => {
    // From the half on, some wait: the crash comes among running calls, and between the steps of earlier lives.
    if (n > LIVES / 2) {
      half.resolve(undefined);
      await sleep(20);
    }
    return live(world, n);
  });
  await half.promise;
  await world.service.crash();
  const answered = (await lives).filter(({ created }) => created);
  expect(answered.length).toBeGreaterThan(AT_ONCE);
  return answered;
}

/**
 * What outlives a killed process (decisions 1, 5 and 7). What it had claimed comes back after a minute: call what this
 * answers for the rule that others give time to.
 */
export function crashRules(rule: Rule): () => void {
  let lives: Promise<readonly Life[]> | undefined;

  rule('killed at work, it starts again and works', async (world) => {
    await (lives = crashed(world));
    await warmUp(world);
  });

  return () => {
    rule(
      'killed at work, it keeps every 201, ends each request as answered and sends its callbacks in order',
      async (world) => expectKept(world, await (lives ??= crashed(world))),
    );
  };
}

async function expectKept(world: World, answered: readonly Life[]): Promise<void> {
  const ends = await awaitEnds(
    world.controller,
    answered.map(({ id }) => id),
  );
  expect(answered.filter(({ cancelled }) => cancelled).map(({ id }) => ends.get(id))).toEqual(
    answered.filter(({ cancelled }) => cancelled).map(() => 'cancelled'),
  );
  const expectations = await callbacksOf(answered, ends);
  expect(expectations.flatMap(({ watch }) => watch.seen.flatMap(({ faults }) => faults))).toEqual([]);
  expect(expectations.flatMap(({ watch }) => watch.seen.filter(({ shown }) => !shown))).toEqual([]);
  for (const { watch, expected } of expectations)
    expect(watch.statuses()).toEqual(expected.slice(0, watch.statuses().length));
  expect(
    expectations.filter(({ watch, expected }) => watch.statuses().length === expected.length).length,
  ).toBeGreaterThan(0);
}

/** It restarts the service with a short validity. */
export function linkRule(rule: Rule): void {
  rule(
    'an expired results link answers 410, with or without an archive; portability gives the same archive as access',
    async (world) => {
      const { controller } = world;
      await world.service.restart({
        RESULTS_VALIDITY_MS: String(VALIDITY_MS),
        PORTABILITY_WAIT_MS: String(ACCESS_WAIT_MS),
      });
      const [known, silent, unknown] = [somebody(world), somebody(world), somebody(world)];
      await ingestPersonFully(world, known);
      expect(
        (
          await controller.ingest('/v1/identify', {
            user_identities: { email: silent.email },
            environment: 'production',
          })
        ).status,
      ).toBe(200);
      const resultOf = async (person: Person, type: 'access' | 'portability') => {
        const body = requestBody({ subject_request_type: type, subject_identities: identitiesOf(person) });
        expect((await controller.create(body)).status).toBe(201);
        const { record, status, archive } = await awaitResult(controller, body.subject_request_id);
        await until('the link to answer 410', async () => (await send(record.results_url ?? '')).status === 410);
        expect((await controller.status(body.subject_request_id)).results_url).toBe(record.results_url);
        return { status, archive };
      };
      const [access, portability, nothing, nobody] = await Promise.all([
        resultOf(known, 'access'),
        resultOf(known, 'portability'),
        resultOf(silent, 'portability'),
        resultOf(unknown, 'access'),
      ]);
      expect([access, portability, nothing, nobody].map(({ status }) => status)).toEqual([200, 200, 200, 404]);
      for (const file of ['profile.jsonl', 'events-001.jsonl']) {
        expect(access.archive?.get(file)?.length).toBeGreaterThan(0);
        expect(portability.archive?.get(file)).toEqual(access.archive?.get(file));
      }
      expect([...(nothing.archive?.keys() ?? [])]).toEqual(['profile.jsonl', 'empty.txt', 'manifest.json']);
    },
    FULL_PERSON_MS,
  );
}
