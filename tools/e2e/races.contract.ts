import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { concurrently } from './concurrently';
import { json, requestBody, type Receipt, type StatusRecord } from './controller';
import { awaitEnds } from './follow';
import { COMPLETION_ESTIMATE_MS } from './service';
import { identitiesOf, somebody, type Rule } from './world';

const GROUP_LIMIT = 150;
const RACES = process.env.DSR_E2E === 'full' ? 1_000 : 300;
const AT_ONCE = 64;
/** DELETEs are spread this far to both sides of the start. */
const AROUND_START_MS = 50;

/** What must hold whoever is first (D1). */
export function raceRules(rule: Rule): void {
  rule('of 300 creates into one group, 64 at a time, exactly 150 are taken', async (world) => {
    const group = randomUUID();
    const statuses = await concurrently(Array.from({ length: 2 * GROUP_LIMIT }), AT_ONCE, async () => {
      const answer = await world.controller.create(requestBody({ subject_request_type: 'portability', subject_identities: identitiesOf(somebody(world)), group_id: group }));
      return answer.status;
    });
    expect(statuses.filter((status) => status === 201)).toHaveLength(GROUP_LIMIT);
    expect(statuses.filter((status) => status === 400)).toHaveLength(GROUP_LIMIT);
    expect(json<StatusRecord[]>(await world.controller.call('GET', `/v2/requests?group_id=${group}`))).toHaveLength(GROUP_LIMIT);
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
