import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { V1 } from '@opendsr-service/contracts';
import { concurrently } from './concurrently';
import { Controller, json, requestBody, type Answer, type Receipt, type StatusRecord } from './controller';
import { awaitEnds } from './follow';
import { COMPLETION_ESTIMATE_MS } from './service';
import { identitiesOf, somebody, type Rule, type World } from './world';

const GROUP_LIMIT = 150;
const RACES = process.env.DSR_E2E === 'full' ? 1_000 : 300;
const AT_ONCE = 64;
/** DELETEs are spread this far to both sides of the start. */
const AROUND_START_MS = 50;

/** A request for somebody new that stays pending through any test. */
const waiting = (world: World, more: object) => requestBody({ subject_request_type: 'portability', subject_identities: identitiesOf(somebody(world)), ...more });
const atOnce = <T>(count: number, work: (n: number) => Promise<T>): Promise<T[]> => Promise.all(Array.from({ length: count }, (_, n) => work(n)));

/** How many were answered how: by status, and by the reason of a refusal. */
function countsOf(answers: readonly Answer[]): Record<string, number> {
  const kinds = Map.groupBy(answers, (answer) => [answer.status, ...(answer.status < 400 ? [] : json<{ errors: { reason: string }[] }>(answer).errors.map(({ reason }) => reason))].join(' '));
  return Object.fromEntries([...kinds].map(([kind, those]) => [kind, those.length]));
}

/** What must hold whoever is first (D1). With several gateways, calls go to each in turn. */
export function raceRules(rule: Rule): void {
  rule('of a thousand creates of one group at once exactly 150 are taken, and the others are told that it is full', async (world) => {
    const group = randomUUID();
    const answers = await atOnce(1_000, () => world.controller.create(waiting(world, { group_id: group })));
    expect(countsOf(answers)).toEqual({ 201: GROUP_LIMIT, '400 InvalidOperationException': 1_000 - GROUP_LIMIT });
    expect(json<StatusRecord[]>(await world.controller.list(group))).toHaveLength(GROUP_LIMIT);
  });

  rule('of fifty creates of one id at once exactly one is taken', async (world) => {
    const subject_request_id = randomUUID();
    const answers = await atOnce(50, () => world.controller.create(waiting(world, { subject_request_id })));
    expect(countsOf(answers)).toEqual({ 201: 1, '400 InvalidOperationException': 49 });
  });

  rule('of fifty creates for the same at once exactly one is taken, in whichever version', async (world) => {
    const [v2, v1] = [world.controller, new Controller(world.service, V1)];
    const same = { subject_request_type: 'portability', subject_identities: identitiesOf(somebody(world)) };
    const answers = await atOnce(50, (n) => (n % 4 < 2 ? v2.create(requestBody(same)) : v1.create(requestBody(same, V1))));
    expect(countsOf(answers)).toEqual({ 201: 1, '409 ConflictException': 49 });
  });

  rule(`of ${String(RACES)} requests whose DELETE meets their start, every 202 ends cancelled and no other does`, async (world) => {
    const { controller } = world;
    const lives = await concurrently(Array.from({ length: RACES }), AT_ONCE, async (_nothing, n) => {
      const body = requestBody({ subject_identities: identitiesOf(somebody(world)) });
      const created = await controller.create(body);
      expect(created.status).toBe(201);
      const startAtMs = Date.parse(json<Receipt>(created).expected_completion_time ?? '') - COMPLETION_ESTIMATE_MS;
      const deleteAtMs = startAtMs + (AROUND_START_MS * ((n % 5) - 2)) / 2;
      await sleep(Math.max(0, deleteAtMs - Date.now()));
      return { id: body.subject_request_id, cancelled: (await controller.cancel(body.subject_request_id)).status };
    });
    const ends = await awaitEnds(controller, lives.map(({ id }) => id));
    const outcomes = lives.map(({ id, cancelled }) => `${String(cancelled)} ${ends.get(id) ?? ''}`);
    // Both must have happened, or nothing met anything.
    expect([...new Set(outcomes)].sort()).toEqual(['202 cancelled', '400 completed']);
  });
}
