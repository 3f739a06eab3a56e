import { randomUUID } from 'node:crypto';
import { Schema, type Collection, type Connection, type Model } from 'mongoose';
import type { Changes, ChangesDocument } from './changes.document';

const changesSchema = new Schema<ChangesDocument>({ _id: String, at: Date }, { strict: false, versionKey: false });
changesSchema.index({ at: 1 });

const modelOf = (connection: Connection): Model<ChangesDocument> =>
  connection.models.Changes
    ? connection.model<ChangesDocument>('Changes')
    : connection.model<ChangesDocument>('Changes', changesSchema, 'changes');

const MOST_READ = 1_000;

/** What changed a short time ago, from every process to every process. */
export class ChangesStore {
  private readonly changes: Collection<ChangesDocument>;

  constructor(connection: Connection) {
    this.changes = modelOf(connection).collection as unknown as Collection<ChangesDocument>;
  }

  async add(at: Date, changes: Changes): Promise<void> {
    await this.changes.insertOne({ _id: randomUUID(), at, changes: JSON.stringify(changes) });
  }

  /** The earliest first. */
  since(at: Date): Promise<ChangesDocument[]> {
    return this.changes.find({ at: { $gte: at } }, { sort: { at: 1 }, limit: MOST_READ }).toArray();
  }

  async removeBefore(at: Date): Promise<void> {
    await this.changes.deleteMany({ at: { $lt: at } });
  }
}
