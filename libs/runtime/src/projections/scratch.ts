import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Log } from '@opendsr-service/messaging';
import { openStorage } from '@opendsr-service/storage';
import type { Connection } from 'mongoose';
import { Fold, type Progress } from './fold';
import { ProjectionError } from './projection-error';
import type { FoldTools, Projection, Stored } from './projection';

/** Where and with what a log is folded. */
export interface Folding {
  readonly log: Pick<Log, 'read'>;
  readonly tools: FoldTools;
  /** The folder in which the scratch store is made; by default that of the system for what is temporary. */
  readonly scratchDir?: string | undefined;
  readonly progress?: Progress | undefined;
}

export interface Folded {
  readonly connection: Connection;
  readonly fold: Fold;
}

/** Folds the log into a scratch store, which is removed after the work on it. Throws before anything is read where the folder for it cannot be written. */
export async function withFold<T, D extends Stored>(projection: Projection<D>, { log, tools, scratchDir = tmpdir(), progress = () => undefined }: Folding, work: (folded: Folded) => Promise<T>): Promise<T> {
  const dataDir = await madeIn(scratchDir);
  const storage = await openStorage({ dataDir });
  try {
    const connection = await storage.database(projection.database);
    const fold = new Fold(log, projection, await projection.into(connection, tools), progress);
    await fold.goOn();
    return await work({ connection, fold });
  } finally {
    await storage.close();
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** In a container the folder for what is temporary may be part of a root that nobody can write. */
async function madeIn(scratchDir: string): Promise<string> {
  try {
    return await mkdtemp(join(scratchDir, 'dsr-projection-'));
  } catch (cause) {
    const { code = 'failed' } = cause as NodeJS.ErrnoException;
    throw new ProjectionError(`nothing can be written in ${scratchDir} (${code}), where the log is folded: name a folder for it with --scratch`, { cause });
  }
}
