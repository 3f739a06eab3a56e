import type { DatabaseSync } from 'node:sqlite';
import { isError } from './sqlite-errors';
import { preparedStatement } from './statements';

export interface QueuedWrite {
  /** Throws only before its first change. */
  readonly work: (db: DatabaseSync) => unknown;
  readonly settle: (outcome: WriteOutcome) => void;
}

export type WriteOutcome = { readonly value: unknown } | { readonly error: Error };

export const asError = (thrown: unknown): Error =>
  isError(thrown) ? thrown : new Error('not an error was thrown', { cause: thrown });

function apply(db: DatabaseSync, write: QueuedWrite): WriteOutcome {
  try {
    return { value: write.work(db) };
  } catch (error) {
    // A full disk or a failing one makes SQLite drop the whole transaction by itself; then the group as a whole is
    // lost.
    if (!db.isTransaction) throw error;
    return { error: asError(error) };
  }
}

/** Commits all writes in the open transaction. One that throws fails alone; a failing commit throws. */
export function commitGroup(db: DatabaseSync, writes: readonly QueuedWrite[]): WriteOutcome[] {
  const outcomes = writes.map((write) => apply(db, write));
  preparedStatement(db, 'COMMIT').run();
  return outcomes;
}
