import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { V1 } from '@opendsr-service/contracts';
import { concurrently } from './concurrently';
import { Controller, json, requestBody, type Answer, type Receipt, type StatusRecord } from './controller';
import { awaitEnds } from './follow';
import { COMPLETION_ESTIMATE_MS } from './service';
import { FULL } from './full';
import { identitiesOf, somebody, type Rule, type World } from './world';

const GROUP_LIMIT = 150;
const RACES = FULL ? 1_000 : 40;
const AT_ONCE = 64;
/** So many creates of a group are under way at the same time: far more than it takes, and no more than connect in time. */
const CREATES = FULL ? 1_000 : 200;
const CREATES_AT_ONCE = CREATES / 2;
/** Where one outcome is missing, as many races again, spread twice as far, so often at the most. */
const BATCHES = FULL ? 3 : 10;
const BATCHES_MS = 400_000;
/** DELETEs of the first races are spread this far to both sides of the start. */
const AROUND_START_MS = 50;

/** How a cancel is answered, and how its request then ends. */
const RIGHT_ENDS = ['202 cancelled', '400 completed'];

/** A request about a new person that stays pending during any test. */
const waiting = (world: World, more: object) =>
  requestBody({ subject_request_type: 'portability', subject_identities: identitiesOf(somebody(world)), ...more });
const atOnce = <T>(count: number, work: (n: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, n) => work(n)));

/** How many were answered how: by status, and by the reason of a refusal. */
function countsOf(answers: readonly Answer[]): Record<string, number> {
  const kinds = Map.groupBy(answers, (answer) =>
    [
      answer.status,
      ...(answer.status < 400 ? [] : json<{ errors: { reason: string }[] }>(answer).errors.map(({ reason }) => reason)),
    ].join(' '),
  );
  return Object.fromEntries([...kinds].map(([kind, those]) => [kind, those.length]));
}

/** The rules for every order of events (decision 1). With several gateways, calls alternate between them. */
export function raceRules(rule: Rule): void {
  rule(
    `exactly 150 of ${String(CREATES)} creates of one group, half of them at once, pass; the others get "full"`,
    async (world) => {
      const group = randomUUID();
      const answers = await concurrently(Array.from({ length: CREATES }), CREATES_AT_ONCE, () =>
        world.controller.create(waiting(world, { group_id: group })),
      );
      expect(countsOf(answers)).toEqual({ 201: GROUP_LIMIT, '400 InvalidOperationException': CREATES - GROUP_LIMIT });
      expect(json<StatusRecord[]>(await world.controller.list(group))).toHaveLength(GROUP_LIMIT);
    },
  );

  rule('exactly one of fifty simultaneous creates of one id is accepted', async (world) => {
    const subject_request_id = randomUUID();
    const answers = await atOnce(50, () => world.controller.create(waiting(world, { subject_request_id })));
    expect(countsOf(answers)).toEqual({ 201: 1, '400 InvalidOperationException': 49 });
  });

  rule('exactly one of fifty simultaneous creates for the same is accepted, over both versions', async (world) => {
    const [v2, v1] = [world.controller, new Controller(world.service, V1)];
    const same = { subject_request_type: 'portability', subject_identities: identitiesOf(somebody(world)) };
    const answers = await atOnce(50, (n) =>
      n % 4 < 2 ? v2.create(requestBody(same)) : v1.create(requestBody(same, V1)),
    );
    expect(countsOf(answers)).toEqual({ 201: 1, '409 ConflictException': 49 });
  });

  rule(
    `of ${String(RACES)} requests whose DELETE meets their start, every 202 ends cancelled and no other does`,
    async (world) => {
      const seen = new Set<string>();
      for (let batch = 0; batch < BATCHES && seen.size < RIGHT_ENDS.length; batch++) {
        for (const end of await raceStarts(world, AROUND_START_MS * 2 ** batch)) seen.add(end);
        expect([...seen].filter((end) => !RIGHT_ENDS.includes(end))).toEqual([]);
      }
      // Both must have happened, or nothing met anything.
      expect([...seen].sort()).toEqual(RIGHT_ENDS);
    },
    BATCHES_MS,
  );
}

/** Cancels requests around their starts. Answers what each cancel was answered, and how its request ended. */
async function raceStarts(world: World, aroundMs: number): Promise<string[]> {
  const { controller } = world;
  const lives = await concurrently(Array.from({ length: RACES }), AT_ONCE, async (_nothing, n) => {
    const body = requestBody({ subject_identities: identitiesOf(somebody(world)) });
    const created = await controller.create(body);
    expect(created.status).toBe(201);
    const startAtMs = Date.parse(json<Receipt>(created).expected_completion_time ?? '') - COMPLETION_ESTIMATE_MS;
    const deleteAtMs = startAtMs + (aroundMs * ((n % 5) - 2)) / 2;
    await sleep(Math.max(0, deleteAtMs - Date.now()));
    return { id: body.subject_request_id, cancelled: (await controller.cancel(body.subject_request_id)).status };
  });
  const ends = await awaitEnds(
    controller,
    lives.map(({ id }) => id),
  );
  return lives.map(({ id, cancelled }) => `${String(cancelled)} ${ends.get(id) ?? ''}`);
}
