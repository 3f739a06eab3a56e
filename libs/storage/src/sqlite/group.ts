import type { DatabaseSync } from 'node:sqlite';
import { isError } from './sqlite-errors';
import { preparedStatement } from './statements';

export interface QueuedWrite {
  readonly work: (db: DatabaseSync) => unknown;
  /** False where `work` throws only before its first change, which saves the savepoint. */
  readonly undo: boolean;
  readonly settle: (outcome: WriteOutcome) => void;
}

export type WriteOutcome = { readonly value: unknown } | { readonly error: Error };

export const asError = (thrown: unknown): Error =>
  isError(thrown) ? thrown : new Error('not an error was thrown', { cause: thrown });

function apply(db: DatabaseSync, write: QueuedWrite): WriteOutcome {
  if (write.undo) preparedStatement(db, 'SAVEPOINT one').run();
  try {
    const value = write.work(db);
    if (write.undo) preparedStatement(db, 'RELEASE one').run();
    return { value };
  } catch (error) {
    // A full disk or a failing one makes SQLite drop the whole transaction by itself; then the group as a whole is
    // lost.
    if (!db.isTransaction) throw error;
    if (write.undo) db.exec('ROLLBACK TO one; RELEASE one');
    return { error: asError(error) };
  }
}

/** Commits all writes in the open transaction. One that throws is undone alone; a failing commit throws. */
export function commitGroup(db: DatabaseSync, writes: readonly QueuedWrite[]): WriteOutcome[] {
  const outcomes = writes.map((write) => apply(db, write));
  preparedStatement(db, 'COMMIT').run();
  return outcomes;
}
