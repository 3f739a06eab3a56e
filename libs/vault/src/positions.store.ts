import type { Positions } from '@opendsr-service/messaging';
import { duplicateKey } from '@opendsr-service/storage';
import type { Collection, Connection } from 'mongoose';

interface PositionDocument {
  readonly _id: string;
  readonly next: Positions;
}

/** How far a database has read a topic, kept in that database: a restored copy reads again what came later. */
export class PositionsStore {
  private readonly positions: Collection<PositionDocument>;

  constructor(connection: Connection) {
    this.positions = connection.collection<PositionDocument>('positions');
  }

  async read(topic: string): Promise<Positions> {
    return (await this.positions.findOne({ _id: topic }))?.next ?? {};
  }

  async write(topic: string, next: Positions): Promise<void> {
    try {
      await this.positions.updateOne({ _id: topic }, { $set: { next } }, { upsert: true });
    } catch (error) {
      // Another process was faster with the first position. A position that is too early only repeats what does no
      // harm.
      if (!duplicateKey(error)) throw error;
    }
  }
}
