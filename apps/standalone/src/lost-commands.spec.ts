import { randomUUID } from 'node:crypto';
import { TOPICS } from '@opendsr-service/contracts';
import { until } from '@opendsr-service/messaging/testing';
import { SqliteFile } from '@opendsr-service/storage';
import { World } from './testing/world';

const body = (srid: string, type: string) => ({
  regulation: 'gdpr',
  subject_request_id: srid,
  subject_request_type: type,
  submitted_time: new Date().toISOString(),
  subject_identities: [{ identity_type: 'email', identity_value: `${srid}@example.com`, identity_format: 'raw' }],
});

let world: World;
beforeEach(() => {
  world = new World();
});
afterEach(() => world.close());

/** Deletes every command that the log holds, as a topic that was truncated by mistake would have lost them. */
async function truncateCommands(): Promise<number> {
  const file = SqliteFile.open(world.logFile);
  const { changes } = await file.write((db) =>
    db
      .prepare('DELETE FROM log_records WHERE topic = (SELECT id FROM log_topics WHERE name = ?)')
      .run(TOPICS.commands.name),
  );
  await file.close();
  return Number(changes);
}

it('finishes every request that was answered with 201, though its commands were deleted from the topic', async () => {
  const call = await world.gateway();
  const srids = Array.from({ length: 20 }, () => randomUUID());
  const cancelled = randomUUID();
  const created = await Promise.all([
    ...srids.map((srid) => call('POST', '/v2/requests', body(srid, 'access'))),
    call('POST', '/v2/requests', body(cancelled, 'portability')),
  ]);
  expect(new Set(created.map(({ status }) => status))).toEqual(new Set([201]));
  expect((await call('DELETE', `/v2/requests/${cancelled}`)).status).toBe(202);
  expect(await truncateCommands()).toBeGreaterThanOrEqual(srids.length);

  await world.fulfilment();
  const statusOf = async (srid: string) =>
    ((await (await call('GET', `/v2/requests/${srid}`)).json()) as { request_status: string }).request_status;
  for (const srid of srids) await until(async () => (await statusOf(srid)) === 'completed');
  expect(await statusOf(cancelled)).toBe('cancelled');
});
