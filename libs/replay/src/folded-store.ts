import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EventLog } from '@opendsr-service/messaging';
import { openStorage } from '@opendsr-service/storage';
import type { Connection } from 'mongoose';
import { LogFold, type Progress } from './log-fold';
import { ProjectionError } from './projection-error';
import type { FoldContext, Projection, StoredDocument } from './projection';
import { abortableLog } from './abortable-log';

const NAME = 'dsr-projection-';

export interface FoldOptions {
  readonly log: Pick<EventLog, 'read'>;
  readonly tools: FoldContext;
  /** The folder of the scratch store; default: the temporary folder of the system. */
  readonly scratchDir?: string | undefined;
  readonly progress?: Progress | undefined;
  /** On abort the work rejects with the reason and the scratch store is removed. */
  readonly stop?: AbortSignal | undefined;
}

export interface FoldedStore {
  readonly connection: Connection;
  readonly fold: LogFold;
}

/** Folds the log into a scratch store and removes it after the work. */
export async function withFoldedStore<T, D extends StoredDocument>(
  projection: Projection<D>,
  { log, tools, scratchDir = tmpdir(), progress = () => undefined, stop }: FoldOptions,
  work: (folded: FoldedStore) => Promise<T>,
): Promise<T> {
  await removeLeftovers(scratchDir);
  const dataDir = await makeFolderIn(scratchDir);
  const storage = await openStorage({ dataDir, lock: true });
  try {
    const connection = await storage.database(projection.database);
    const fold = new LogFold(
      stop ? abortableLog(log, stop) : log,
      projection,
      await projection.startFold(connection, tools),
      progress,
    );
    await fold.catchUp();
    stop?.throwIfAborted();
    return await work({ connection, fold });
  } finally {
    await storage.close();
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** Killed processes leave sealed data; a running process holds the lock of its folder. */
async function removeLeftovers(scratchDir: string): Promise<void> {
  const found = await readdir(scratchDir, { withFileTypes: true }).catch(() => []);
  const folders = found.filter((entry) => entry.isDirectory() && entry.name.startsWith(NAME));
  for (const { name } of folders) await removeFolder(join(scratchDir, name)).catch(() => undefined);
}

async function removeFolder(dataDir: string): Promise<void> {
  const storage = await openStorage({ dataDir, lock: true });
  await rm(dataDir, { recursive: true, force: true });
  await storage.close();
}

/** The root of a container may be read-only. */
async function makeFolderIn(scratchDir: string): Promise<string> {
  try {
    return await mkdtemp(join(scratchDir, NAME));
  } catch (cause) {
    const { code = 'failed' } = cause as NodeJS.ErrnoException;
    throw new ProjectionError(
      `the scratch folder ${scratchDir} is not writable (${code}): name another folder with --scratch`,
      { cause },
    );
  }
}
