import { randomUUID } from 'node:crypto';
import { declareCollection } from '@opendsr-service/storage';
import type { Collection, Connection } from 'mongoose';
import type { Changes, ChangesDocument } from './changes.document';

const MOST_READ = 1_000;

/** What changed a short time ago, from every process to every process. */
export class ChangesStore {
  private readonly changes: Collection<ChangesDocument>;

  constructor(connection: Connection) {
    this.changes = declareCollection(connection, 'changes', [{ fields: { at: 1 } }]);
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
