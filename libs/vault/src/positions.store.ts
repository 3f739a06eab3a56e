import type { Positions } from '@opendsr-service/messaging';
import { duplicateKey } from '@opendsr-service/storage';
import type { Collection, Connection } from 'mongoose';

interface PositionDocument {
  readonly _id: string;
  readonly next: Positions;
}

/** The read position of a topic, kept in the database that it belongs to. A copy of one moment rereads what came later. */
export class PositionsStore {
  private readonly positions: Collection<PositionDocument>;

  constructor(connection: Connection) {
    this.positions = connection.collection<PositionDocument>('positions');
  }

  async read(topic: string): Promise<Positions> {
    return (await this.positions.findOne({ _id: topic }))?.next ?? {};
  }

  async remove(topic: string): Promise<void> {
    await this.positions.deleteOne({ _id: topic });
  }

  async write(topic: string, next: Positions): Promise<void> {
    try {
      await this.positions.updateOne({ _id: topic }, { $set: { next } }, { upsert: true });
    } catch (error) {
      // Another process wrote the first position. An earlier position only repeats idempotent work.
      if (!duplicateKey(error)) throw error;
    }
  }
}
