import mongoose, { type Collection } from 'mongoose';
import { alikeUpdates, type SingleUpdate } from './alike-updates';
import { CallJoiner } from './call-joiner';
import { DUPLICATE_KEY, duplicateKey } from './errors';

const { MongoBulkWriteError } = mongoose.mongo;
const MAX_WRITES = 500;

type Insert<D> = { readonly insertOne: { readonly document: D } };
type InsertNew<D> = { readonly insertNew: D };
type Update<D> = {
  readonly updateOne: {
    readonly filter: Parameters<Collection<D & object>['updateOne']>[0];
    readonly update: Parameters<Collection<D & object>['updateOne']>[1];
  };
};
type Alike<D> = { readonly alike: Update<D>['updateOne'] & SingleUpdate };
type Write<D> = Insert<D> | InsertNew<D> | Update<D> | Alike<D>;
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

  /**
   * Inserts it where no document has its id; false: one has. For collections without another unique index. MongoDB spends on it
   * a third of what an upsert costs.
   */
  async insertNew(document: D): Promise<boolean> {
    return (await this.write({ insertNew: document })) === 'applied';
  }

  update(filter: Update<D>['updateOne']['filter'], update: Update<D>['updateOne']['update']): Promise<UpdateOutcome> {
    return this.write({ updateOne: { filter, update } });
  }

  /** As `update`, for updates that are alike but for the document: those of a bulk write are one statement. */
  updateAlike(filter: SingleUpdate['filter'], update: object): Promise<UpdateOutcome> {
    return this.write({ alike: { filter, update } as Alike<D>['alike'] });
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
    const updates = writes.filter((write) => !(isInsert(write) || failed.has(write))).length;
    return Promise.all(
      writes.map(async (write): Promise<Outcome> => {
        const code = failed.get(write);
        if (code === DUPLICATE_KEY && 'insertNew' in write) return 'unmatched';
        // The error of a bulk write lacks what that of a single write says.
        if (code !== undefined) return this.runAlone(write);
        if (isInsert(write) || foundCount === updates) return 'applied';
        return foundCount === 0 ? 'unmatched' : 'unknown';
      }),
    );
  }

  /** `failed`: with the codes of their errors. */
  private async runTogether(
    writes: readonly Write<D>[],
  ): Promise<{ readonly foundCount: number; readonly failed: ReadonlyMap<Write<D>, number> }> {
    const single = writes.filter((write) => isSingle(write));
    const shared = alikeUpdates(writes.flatMap((write) => ('alike' in write ? write.alike : [])));
    const operations = [...single.map(operationOf), ...shared] as Parameters<Collection<D>['bulkWrite']>[0];
    try {
      const { matchedCount } = await this.collection.bulkWrite([...operations], { ordered: false });
      return { foundCount: matchedCount, failed: new Map() };
    } catch (error) {
      if (!(error instanceof MongoBulkWriteError) || error.result.getWriteConcernError()) throw error;
      const failed = [error.writeErrors].flat().map(({ index, code }) => [single[index], code] as const);
      if (failed.length === 0 || failed.some(([write]) => write === undefined)) throw error;
      return { foundCount: error.matchedCount, failed: new Map(failed as [Write<D>, number][]) };
    }
  }

  private async runAlone(write: Write<D>): Promise<Outcome> {
    try {
      if (isInsert(write)) {
        const document = 'insertNew' in write ? write.insertNew : write.insertOne.document;
        await this.collection.insertOne(document as Parameters<Collection<D>['insertOne']>[0]);
        return 'applied';
      }
      const { filter, update } = 'alike' in write ? write.alike : write.updateOne;
      return (await this.collection.updateOne(filter, update)).matchedCount === 1 ? 'applied' : 'unmatched';
    } catch (error) {
      return 'insertNew' in write && duplicateKey(error) ? 'unmatched' : { error };
    }
  }
}

const isInsert = <D>(write: Write<D>): write is Insert<D> | InsertNew<D> =>
  'insertOne' in write || 'insertNew' in write;

type Single<D> = Exclude<Write<D>, Alike<D>>;

const isSingle = <D>(write: Write<D>): write is Single<D> => !('alike' in write);

const operationOf = <D>(write: Single<D>): Insert<D> | Update<D> =>
  'insertNew' in write ? { insertOne: { document: write.insertNew } } : write;
