import { declareCollection } from '@opendsr-service/storage';
import type { Collection, Connection } from 'mongoose';

interface ErasedSubject {
  readonly _id: string;
  readonly ws: string;
  readonly at: Date;
}

const MAX_CHECKED_AT_ONCE = 200;

/** Recently erased subjects by blind index: a build that began before must not outlive the erasure (decision 14). */
export class ErasedSubjectsStore {
  private readonly erased: Collection<ErasedSubject>;

  constructor(connection: Connection) {
    this.erased = declareCollection(connection, 'erasedSubjects', [{ fields: { at: 1 } }]);
  }

  async add(ws: string, subjects: readonly string[], at: Date): Promise<void> {
    const once = subjects.map((subject) => ({
      updateOne: { filter: { _id: idOf(ws, subject), ws }, update: { $setOnInsert: { at } }, upsert: true },
    }));
    if (once.length > 0) await this.erased.bulkWrite(once, { ordered: false });
  }

  async hasAny(ws: string, subjects: readonly string[]): Promise<boolean> {
    for (let at = 0; at < subjects.length; at += MAX_CHECKED_AT_ONCE) {
      const ids = subjects.slice(at, at + MAX_CHECKED_AT_ONCE).map((subject) => idOf(ws, subject));
      if (await this.erased.findOne({ _id: { $in: ids }, ws })) return true;
    }
    return false;
  }

  /** Removes one page of entries older than `until`. Returns their number. */
  async forget(until: Date, limit: number): Promise<number> {
    const page = await this.erased
      .find({ at: { $lte: until } })
      .sort({ at: 1 })
      .limit(limit)
      .toArray();
    if (page.length > 0)
      await this.erased.bulkWrite(
        page.map(({ _id, ws }) => ({ deleteOne: { filter: { _id, ws } } })),
        { ordered: false },
      );
    return page.length;
  }
}

const idOf = (ws: string, subject: string): string => `${ws}:${subject}`;
