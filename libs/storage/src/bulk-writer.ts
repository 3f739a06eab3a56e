import mongoose, { type Collection } from 'mongoose';
import { CallJoiner } from './call-joiner';

const { MongoBulkWriteError } = mongoose.mongo;
const MAX_WRITES = 500;

type Insert<D> = { readonly insertOne: { readonly document: D } };
type Update<D> = {
  readonly updateOne: {
    readonly filter: Parameters<Collection<D & object>['updateOne']>[0];
    readonly update: Parameters<Collection<D & object>['updateOne']>[1];
    readonly upsert?: true;
  };
};
type Write<D> = Insert<D> | Update<D>;
type Outcome = UpdateOutcome | { readonly error: unknown };

/**
 * `unknown`: a bulk write only reports how many of its updates matched, and not all did. Callers then find out by
 * themselves, such as by reading the version.
 */
export type UpdateOutcome = 'applied' | 'unmatched' | 'unknown';

/**
 * Joins concurrent writes to a collection into bulk writes (group commit, decision 22). A write that comes alone is sent at once;
 * those that come while a bulk write runs form the next one. Each write gets its own answer, after the bulk write is durable.
 */
export class BulkWriter<D extends object> {
  private readonly writes: CallJoiner<Write<D>, Outcome>;

  /** `maxWrites`: the most writes of one bulk write. */
  constructor(
    private readonly collection: Collection<D>,
    maxWrites = MAX_WRITES,
  ) {
    this.writes = new CallJoiner((writes) => this.run(writes), maxWrites);
  }

  /** Rejects with the errors of `insertOne`, such as that of a duplicate key. */
  async insert(document: D): Promise<void> {
    await this.write({ insertOne: { document } });
  }

  update(filter: Update<D>['updateOne']['filter'], update: Update<D>['updateOne']['update']): Promise<UpdateOutcome> {
    return this.write({ updateOne: { filter, update } });
  }

  /** Applies the update, or inserts what it makes where no document matches. */
  async upsert(filter: Update<D>['updateOne']['filter'], update: Update<D>['updateOne']['update']): Promise<void> {
    await this.write({ updateOne: { filter, update, upsert: true } });
  }

  private async write(write: Write<D>): Promise<UpdateOutcome> {
    const outcome = await this.writes.call(write);
    if (typeof outcome !== 'string') throw outcome.error;
    return outcome;
  }

  private async run(writes: readonly Write<D>[]): Promise<readonly Outcome[]> {
    const [only] = writes;
    if (only && writes.length === 1) return [await this.runAlone(only)];
    const { foundCount, failed } = await this.runTogether(writes);
    const updates = writes.filter((write, index) => 'updateOne' in write && !failed.has(index)).length;
    return Promise.all(
      writes.map(async (write, index): Promise<Outcome> => {
        // The error of a bulk write lacks what that of a single write says.
        if (failed.has(index)) return this.runAlone(write);
        if ('insertOne' in write || foundCount === updates) return 'applied';
        return foundCount === 0 ? 'unmatched' : 'unknown';
      }),
    );
  }

  private async runTogether(
    writes: readonly Write<D>[],
  ): Promise<{ readonly foundCount: number; readonly failed: ReadonlySet<number> }> {
    const operations = writes as Parameters<Collection<D>['bulkWrite']>[0];
    try {
      const { matchedCount, upsertedCount } = await this.collection.bulkWrite([...operations], { ordered: false });
      return { foundCount: matchedCount + upsertedCount, failed: new Set() };
    } catch (error) {
      if (!(error instanceof MongoBulkWriteError) || error.result.getWriteConcernError()) throw error;
      const failed = [error.writeErrors].flat().map(({ index }) => index);
      if (failed.length === 0) throw error;
      return { foundCount: error.matchedCount + error.upsertedCount, failed: new Set(failed) };
    }
  }

  private async runAlone(write: Write<D>): Promise<Outcome> {
    try {
      if ('insertOne' in write) {
        await this.collection.insertOne(write.insertOne.document as Parameters<Collection<D>['insertOne']>[0]);
        return 'applied';
      }
      const { filter, update, upsert = false } = write.updateOne;
      const { matchedCount, upsertedCount } = await this.collection.updateOne(filter, update, { upsert });
      return matchedCount + upsertedCount === 1 ? 'applied' : 'unmatched';
    } catch (error) {
      return { error };
    }
  }
}
