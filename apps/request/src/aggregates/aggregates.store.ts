import { requestKey, type RequestEvent } from '@opendsr-service/contracts';
import { BulkWriter, DocumentLoader, duplicateKey } from '@opendsr-service/storage';
import type { Collection, Connection } from 'mongoose';
import type { RequestState } from '../domain/state';
import type { AggregateDocument } from './aggregate.document';
import { aggregateModel } from './aggregate-model.store';
import { VersionConflict } from './version-conflict';

export interface SaveTimes {
  readonly now: Date;
  readonly outboxAt: Date;
}

/**
 * Request states, each written by compare-and-set on version and command number (decision 2). Concurrent loads share a
 * query, concurrent writes a bulk write.
 */
export class AggregatesStore {
  private readonly aggregates: Collection<AggregateDocument>;
  private readonly documents: DocumentLoader<AggregateDocument>;
  private readonly writes: BulkWriter<AggregateDocument>;

  constructor(connection: Connection) {
    this.aggregates = aggregateModel(connection).collection as unknown as Collection<AggregateDocument>;
    this.documents = new DocumentLoader(this.aggregates);
    this.writes = new BulkWriter(this.aggregates);
  }

  load(ws: string, srid: string): Promise<AggregateDocument | null> {
    return this.documents.load(requestKey(ws, srid), ws);
  }

  /** Writes the state together with `events`. Throws VersionConflict where `before` is no longer the state. */
  async save(
    before: AggregateDocument | null,
    after: RequestState,
    events: readonly RequestEvent[],
    { now, outboxAt }: SaveTimes,
  ): Promise<AggregateDocument> {
    const [{ ws, srid }] = events as readonly [RequestEvent];
    const { version: v, ...state } = after;
    const outboxSince = before?.outboxSince ?? now;
    const changed = { v, ...state, outboxAt, outboxSince };
    const document = { _id: requestKey(ws, srid), ws, ...changed, outbox: [...(before?.outbox ?? []), ...events] };
    if (!before) await this.insert(document);
    else await this.replace(before, changed, events);
    return document;
  }

  async markPublished({ _id, ws }: AggregateDocument, upToVersion: number): Promise<void> {
    const isEmptied = await this.writes.update(
      { _id, ws, 'outbox.version': { $not: { $gt: upToVersion } } },
      { $set: { outbox: [] }, $unset: { outboxAt: 1, outboxSince: 1 } },
    );
    if (!isEmptied)
      await this.aggregates.updateOne({ _id, ws }, { $pull: { outbox: { version: { $lte: upToVersion } } } });
  }

  async findUnpublished(now: Date, limit: number): Promise<AggregateDocument[]> {
    return this.aggregates.find({ outboxAt: { $lte: now } }, { sort: { outboxAt: 1 }, limit }).toArray();
  }

  async reschedule({ _id, ws, outboxAt }: AggregateDocument, until: Date): Promise<boolean> {
    const result = await this.aggregates.updateOne({ _id, ws, outboxAt }, { $set: { outboxAt: until } });
    return result.matchedCount === 1;
  }

  private async insert(document: AggregateDocument): Promise<void> {
    try {
      await this.writes.insert(document);
    } catch (error) {
      throw duplicateKey(error) ? new VersionConflict() : error;
    }
  }

  private async replace(
    { _id, ws, v, commandSeq }: AggregateDocument,
    changed: Omit<AggregateDocument, '_id' | 'ws' | 'outbox'>,
    events: readonly RequestEvent[],
  ): Promise<void> {
    const isReplaced = await this.writes.update(
      { _id, ws, v, commandSeq },
      { $set: changed, $push: { outbox: { $each: [...events] } } },
    );
    if (!isReplaced) throw new VersionConflict();
  }
}
