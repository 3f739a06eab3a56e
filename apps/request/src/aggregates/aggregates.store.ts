import { requestKey, type RequestEvent } from '@opendsr-service/contracts';
import { duplicateKey } from '@opendsr-service/storage';
import { Schema, type Collection, type Connection } from 'mongoose';
import type { RequestState } from '../life/state';
import type { AggregateDocument } from './aggregate.document';
import { VersionConflict } from './version-conflict';

/** Only its index is used: the store reads and writes the collection itself. */
const aggregateSchema = new Schema<AggregateDocument>({ _id: String, ws: String, outboxAt: { type: Date, required: false } }, { strict: false, versionKey: false });
aggregateSchema.index({ outboxAt: 1 }, { partialFilterExpression: { outboxAt: { $exists: true } } });

/** The requests' states, each written by compare-and-set on its version and command number (D2). */
export class AggregatesStore {
  private readonly aggregates: Collection<AggregateDocument>;

  constructor(connection: Connection) {
    this.aggregates = connection.model<AggregateDocument>('Aggregate', aggregateSchema, 'aggregates').collection as unknown as Collection<AggregateDocument>;
  }

  async load(ws: string, srid: string): Promise<AggregateDocument | null> {
    return this.aggregates.findOne({ _id: requestKey(ws, srid), ws });
  }

  /** Writes the state after `events` together with them. Throws VersionConflict where `before` is no longer the state. */
  async save(before: AggregateDocument | null, after: RequestState, events: readonly RequestEvent[], outboxAt: Date): Promise<AggregateDocument> {
    const [{ ws, srid }] = events as readonly [RequestEvent];
    const { version: v, ...state } = after;
    const changed = { v, ...state, outboxAt };
    const document = { _id: requestKey(ws, srid), ws, ...changed, outbox: [...(before?.outbox ?? []), ...events] };
    if (!before) await this.insert(document);
    else await this.replace(before, changed, events);
    return document;
  }

  /** Takes the published events out of the outbox, and with the last of them its due time. */
  async published({ _id, ws }: AggregateDocument, upToVersion: number): Promise<void> {
    const emptied = await this.aggregates.updateOne(
      { _id, ws, 'outbox.version': { $not: { $gt: upToVersion } } },
      { $set: { outbox: [] }, $unset: { outboxAt: 1 } },
    );
    if (emptied.matchedCount === 0) await this.aggregates.updateOne({ _id, ws }, { $pull: { outbox: { version: { $lte: upToVersion } } } });
  }

  /** Aggregates whose events a crash or an outage left unpublished, the oldest first. */
  async findUnpublished(now: Date, limit: number): Promise<AggregateDocument[]> {
    return this.aggregates.find({ outboxAt: { $lte: now } }, { sort: { outboxAt: 1 }, limit }).toArray();
  }

  /** Puts off the next try; false: another relay has it. */
  async putOff({ _id, ws, outboxAt }: AggregateDocument, until: Date): Promise<boolean> {
    const result = await this.aggregates.updateOne({ _id, ws, outboxAt }, { $set: { outboxAt: until } });
    return result.matchedCount === 1;
  }

  private async insert(document: AggregateDocument): Promise<void> {
    try {
      await this.aggregates.insertOne(document);
    } catch (error) {
      throw duplicateKey(error) ? new VersionConflict() : error;
    }
  }

  private async replace({ _id, ws, v, commandSeq }: AggregateDocument, changed: Omit<AggregateDocument, '_id' | 'ws' | 'outbox'>, events: readonly RequestEvent[]): Promise<void> {
    const result = await this.aggregates.updateOne({ _id, ws, v, commandSeq }, { $set: changed, $push: { outbox: { $each: [...events] } } });
    if (result.matchedCount === 0) throw new VersionConflict();
  }
}
