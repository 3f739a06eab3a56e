import { Schema, type Collection, type Connection } from 'mongoose';

/** A batch of events as it came, sealed. */
export interface BatchDocument {
  /** The id of the message that brought it. */
  readonly _id: string;
  readonly ws: string;
  readonly mpid: string;
  readonly kid: string;
  readonly sealed: string;
  readonly at: Date;
}

/** A removal in pages keeps every write short, and few enough for the embedded store to seek each of them. */
const REMOVED_AT_ONCE = 250;
const READ_AT_ONCE = 1_000;

const batchSchema = new Schema(
  { _id: String, ws: String, mpid: String, at: Date },
  { strict: false, versionKey: false, autoIndex: false },
);
batchSchema.index({ ws: 1, mpid: 1, at: 1, _id: 1 });

export class BatchesStore {
  private readonly batches: Collection<BatchDocument>;

  constructor(connection: Connection) {
    connection.model('Batch', batchSchema, 'batches');
    this.batches = connection.collection<BatchDocument>('batches');
  }

  /** Keeps each batch once, however often it comes. */
  async keep(batches: readonly BatchDocument[]): Promise<void> {
    if (batches.length === 0) return;
    const once = batches.map(({ _id, ...batch }) => ({
      updateOne: { filter: { _id, ws: batch.ws }, update: { $setOnInsert: batch }, upsert: true },
    }));
    await this.batches.bulkWrite(once, { ordered: false });
  }

  /** The batches of a profile in the order in which they came, the same each time, read as the caller asks for them. */
  readByProfile(ws: string, mpid: string): AsyncIterable<BatchDocument> {
    return this.batches.find({ ws, mpid }, { batchSize: READ_AT_ONCE }).sort({ at: 1, _id: 1 });
  }

  /** Removes a page of a profile's batches; false: there were no more. */
  async removePageByProfile(ws: string, mpid: string): Promise<boolean> {
    const page = await this.batches.find({ ws, mpid }, { projection: { _id: 1 }, limit: REMOVED_AT_ONCE }).toArray();
    if (page.length > 0) await this.batches.deleteMany({ _id: { $in: page.map(({ _id }) => _id) }, ws });
    return page.length > 0;
  }
}
