import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TOPICS } from '@opendsr-service/contracts';
import { openLog, type EventLog } from '@opendsr-service/messaging';
import type { Storage } from '@opendsr-service/storage';

/** A new database of a storage, and a new event log with all topics beside it. */
export async function openLoggedDatabase(storage: Storage, prefix: string) {
  const connection = await storage.database(`${prefix}_${randomUUID().slice(0, 8)}`);
  const dataDir = mkdtempSync(join(tmpdir(), `${prefix}-`));
  const log = await openLog({ embedded: { file: join(dataDir, 'log.db') } });
  await log.topics.apply(Object.values(TOPICS), { replication: 1, minIsr: 1 });
  const close = async (): Promise<void> => {
    await log.close();
    await connection.dropDatabase();
    rmSync(dataDir, { recursive: true });
  };
  return { connection, log, close };
}

/** Does the work while the event log does not hold the records with this text any more. */
export async function withoutRecords<T>(log: Pick<EventLog, 'read'>, text: string, work: () => Promise<T>): Promise<T> {
  const whole = log.read.bind(log);
  log.read = (topic, from, take, options) =>
    whole(topic, from, (records) => take(records.filter(({ value }) => !String(value).includes(text))), options);
  try {
    return await work();
  } finally {
    log.read = whole;
  }
}
