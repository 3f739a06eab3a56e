import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TOPICS } from '@opendsr-service/contracts';
import { openLog } from '@opendsr-service/messaging';
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
