import { declareCollection, insertMissing } from '@opendsr-service/storage';
import type { Collection, Connection } from 'mongoose';

interface BatchDocument {
  /** The id of the message. */
  readonly _id: string;
  readonly ws: string;
  readonly mpid: string;
  readonly kid: string;
  readonly sealed: string;
  readonly at: Date;
}

const REMOVED_AT_ONCE = 250;
const READ_AT_ONCE = 1_000;

export class BatchesStore {
  private readonly batches: Collection<BatchDocument>;

  constructor(connection: Connection) {
    this.batches = declareCollection(connection, 'batches', [{ fields: { ws: 1, mpid: 1, at: 1, _id: 1 } }]);
  }

  /** Small pages keep writes short. */
  async keep(batches: readonly BatchDocument[]): Promise<void> {
    await insertMissing(this.batches, batches);
  }

  readByProfile(ws: string, mpid: string): AsyncIterable<BatchDocument> {
    return this.batches.find({ ws, mpid }, { batchSize: READ_AT_ONCE }).sort({ at: 1, _id: 1 });
  }

  async countByProfile(ws: string, mpid: string): Promise<number> {
    return this.batches.countDocuments({ ws, mpid });
  }

  /** Removes one page. False: no batch is left. */
  async removePageByProfile(ws: string, mpid: string): Promise<boolean> {
    const page = await this.batches.find({ ws, mpid }, { projection: { _id: 1 }, limit: REMOVED_AT_ONCE }).toArray();
    if (page.length > 0) await this.batches.deleteMany({ _id: { $in: page.map(({ _id }) => _id) }, ws });
    return page.length > 0;
  }
}
