import type { Positions } from '@opendsr-service/messaging';
import { duplicateKey } from '@opendsr-service/storage';
import type { Collection, Connection } from 'mongoose';

interface PositionDocument {
  /** Name of the topic. */
  readonly _id: string;
  readonly next: Positions;
}

/**
 * How far a database has taken in a topic, kept in that database: a copy of it that is restored comes with the position of that time,
 * and so takes in once more what came later. It is of no workspace.
 */
export class PositionsStore {
  private readonly positions: Collection<PositionDocument>;

  constructor(connection: Connection) {
    this.positions = connection.collection<PositionDocument>('positions');
  }

  /** Empty where nothing was taken in yet. */
  async read(topic: string): Promise<Positions> {
    return (await this.positions.findOne({ _id: topic }))?.next ?? {};
  }

  async write(topic: string, next: Positions): Promise<void> {
    try {
      await this.positions.updateOne({ _id: topic }, { $set: { next } }, { upsert: true });
    } catch (error) {
      // Another process was faster with the first position. An earlier one than need be only repeats what does no harm.
      if (!duplicateKey(error)) throw error;
    }
  }
}
