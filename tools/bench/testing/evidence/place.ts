import { mkdtempSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TOPICS } from '@opendsr-service/contracts';
import { gatewayDatabase } from '@opendsr-service/gateway/testing';
import { openLog, type EventLog } from '@opendsr-service/messaging';
import { ensureIndexes, openStorage, type Storage } from '@opendsr-service/storage';
import { startOwn, type OwnServer } from '@opendsr-service/storage/testing';
import { parseStat, pidsOf } from '../../cpu';

/** Holds a million leaves with their indexes, as a server of its own would. */
const CACHE_MB = '1024';

/** A store with the indexes of the gateway, and an embedded event log beside it. */
export interface Place {
  readonly storage: Storage;
  readonly events: EventLog;
  readonly folder: string;
  /** CPU of this process, and of mongod where there is one, while the work runs; milliseconds. */
  readonly cpuOf: (work: () => Promise<unknown>) => Promise<number>;
}

/** Opens a place for the time of the work: on a mongod of its own from this folder, or on embedded stores. */
export async function withPlace<T>(servers: string | undefined, work: (place: Place) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'evidence-'));
  const mongod =
    servers === undefined
      ? undefined
      : startOwn(join(servers, 'start-mongod'), ['--port', '0', '--cache-mb', CACHE_MB]);
  const storage = await openStorage(mongod ? { mongodbUri: await uriOf(mongod) } : { dataDir: folder });
  const events = await openLog({ embedded: { file: join(folder, 'log.db') } });
  try {
    await events.topics.apply(Object.values(TOPICS), { replication: 1, minIsr: 1 });
    const connection = await storage.database('gateway');
    gatewayDatabase.models(connection);
    await ensureIndexes(connection);
    const pids = mongod ? await pidsOf('mongod') : [];
    return await work({ storage, events, folder, cpuOf: (measured) => cpuOf(pids, measured) });
  } finally {
    await events.close();
    await storage.close();
    await mongod?.stop();
    rmSync(folder, { recursive: true });
  }
}

async function uriOf(mongod: OwnServer): Promise<string> {
  return (JSON.parse(await mongod.line((line) => line.startsWith('{'))) as { readonly uri: string }).uri;
}

async function cpuOf(pids: readonly number[], work: () => Promise<unknown>): Promise<number> {
  const others = async () => {
    const lines = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/stat`, 'utf8')));
    return lines.reduce((sum, line) => sum + parseStat(line).cpuMs, 0);
  };
  const before = await others();
  const began = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(began);
  return (user + system) / 1_000 + (await others()) - before;
}

export interface Spread {
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

/** Of times in milliseconds, to two places. */
export function spreadOf(times: readonly number[]): Spread {
  const sorted = times.toSorted((one, other) => one - other);
  const at = (part: number) =>
    Number((sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0).toFixed(2));
  return { p50: at(0.5), p99: at(0.99), max: at(1) };
}
