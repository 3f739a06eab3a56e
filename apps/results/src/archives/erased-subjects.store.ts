import { declareCollection, insertMissing, isAnyStored, sweepPage } from '@opendsr-service/storage';
import type { Collection, Connection } from 'mongoose';

interface ErasedSubject {
  readonly _id: string;
  readonly ws: string;
  readonly at: Date;
}

/** Recently erased subjects by blind index: a build that began before must not outlive the erasure (decision 14). */
export class ErasedSubjectsStore {
  private readonly erased: Collection<ErasedSubject>;

  constructor(connection: Connection) {
    this.erased = declareCollection(connection, 'erasedSubjects', [{ fields: { at: 1 } }]);
  }

  async add(ws: string, subjects: readonly string[], at: Date): Promise<void> {
    await insertMissing(
      this.erased,
      subjects.map((subject) => ({ _id: idOf(ws, subject), ws, at })),
    );
  }

  hasAny(ws: string, subjects: readonly string[]): Promise<boolean> {
    return isAnyStored(
      this.erased,
      ws,
      subjects.map((subject) => idOf(ws, subject)),
    );
  }

  /** Removes up to `limit` entries that are as old as `until`. Returns their number. */
  forget(until: Date, limit: number): Promise<number> {
    return sweepPage(this.erased, { at: { $lte: until } }, limit);
  }
}

const idOf = (ws: string, subject: string): string => `${ws}:${subject}`;
