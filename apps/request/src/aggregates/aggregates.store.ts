import { requestKey, type RequestEvent } from '@opendsr-service/contracts';
import {
  awaitCurrentReads,
  BulkWriter,
  declareCollection,
  DocumentLoader,
  earliestDate,
} from '@opendsr-service/storage';
import type { Collection, Connection } from 'mongoose';
import type { RequestState } from '../domain/state';
import type { AggregateDocument } from './aggregate.document';
import { VersionConflict } from './version-conflict';

/** Beyond this, the relay's next run empties also those that were just published. */
const MAX_PUBLISHED = 10_000;

interface SaveTimes {
  readonly now: Date;
  readonly outboxAt: Date;
}

interface Published {
  /** With an empty outbox. */
  readonly document: AggregateDocument;
  readonly at: Date;
}

/**
 * Request states, each written by compare-and-set on version and command number (decision 2). Concurrent loads share a
 * query, concurrent writes a bulk write.
 */
export class AggregatesStore {
  private readonly aggregates: Collection<AggregateDocument>;
  private readonly documents: DocumentLoader<AggregateDocument>;
  private readonly writes: BulkWriter<AggregateDocument>;
  /** By id, the oldest first: what this process wrote and the log has acknowledged. The stored outboxes still hold it. */
  private readonly published = new Map<string, Published>();

  constructor(connection: Connection) {
    this.aggregates = declareCollection(connection, 'aggregates', [
      { fields: { outboxAt: 1 }, where: 'outboxAt' },
      { fields: { outboxSince: 1 }, where: 'outboxSince' },
    ]);
    this.documents = new DocumentLoader(this.aggregates);
    this.writes = new BulkWriter(this.aggregates);
  }

  load(ws: string, srid: string): Promise<AggregateDocument | null> {
    return this.documents.load(requestKey(ws, srid), ws);
  }

  /** Misses nothing that was acknowledged before, not even right after an election. */
  async loadCurrent(ws: string, srid: string): Promise<AggregateDocument | null> {
    await awaitCurrentReads(this.aggregates, { _id: requestKey(ws, srid), ws });
    return this.load(ws, srid);
  }

  /** What this process wrote and published in the last seconds, without a read. Another may have written since: `save` shows it. */
  recall(ws: string, srid: string): AggregateDocument | undefined {
    return this.published.get(requestKey(ws, srid))?.document;
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
    const unpublished = before && !this.isPublished(before) ? before : undefined;
    const outboxSince = unpublished?.outboxSince ?? now;
    const outbox = [...(unpublished?.outbox ?? []), ...events];
    const document = { _id: requestKey(ws, srid), ws, v, ...state, outboxAt, outboxSince, outbox };
    if (before) await this.writeOver(before, document);
    else if (!(await this.writes.insertNew(document))) throw new VersionConflict();
    return document;
  }

  /** Records that the log holds the whole outbox. The next `save`, or `emptyPublished`, removes it. */
  markPublished(document: AggregateDocument, at: Date): void {
    this.published.delete(document._id);
    this.published.set(document._id, { document: { ...document, outbox: [] }, at });
  }

  /** Whether this process has published the outbox, or it is empty. */
  isPublished({ _id, outbox }: AggregateDocument): boolean {
    return (outbox.at(-1)?.version ?? 0) <= (this.published.get(_id)?.document.v ?? 0);
  }

  /** Empties the outboxes published until then; default: all. */
  async emptyPublished(until?: Date): Promise<void> {
    const emptied: Promise<unknown>[] = [];
    for (const [_id, { document, at }] of this.published) {
      if (until && at > until && this.published.size <= MAX_PUBLISHED) break;
      this.published.delete(_id);
      const { ws, v } = document;
      emptied.push(
        this.writes.updateAlike({ _id, ws, v }, { $set: { outbox: [] }, $unset: { outboxAt: 1, outboxSince: 1 } }),
      );
    }
    await Promise.all(emptied);
  }

  async findUnpublished(now: Date, limit: number): Promise<AggregateDocument[]> {
    return this.aggregates.find({ outboxAt: { $lte: now } }, { sort: { outboxAt: 1 }, limit }).toArray();
  }

  /** When the oldest event of all outboxes was written. */
  oldestUnpublished(now: Date): Promise<Date | undefined> {
    return earliestDate(this.aggregates, 'outboxSince', now);
  }

  async reschedule({ _id, ws, outboxAt }: AggregateDocument, until: Date): Promise<boolean> {
    const result = await this.aggregates.updateOne({ _id, ws, outboxAt }, { $set: { outboxAt: until } });
    return result.matchedCount === 1;
  }

  private async writeOver({ _id, ws, v, commandSeq }: AggregateDocument, after: AggregateDocument): Promise<void> {
    const outcome = await this.writes.update({ _id, ws, v, commandSeq }, { $set: after });
    this.published.delete(_id);
    if (outcome !== 'applied' && !(outcome === 'unknown' && (await this.isStored(after)))) throw new VersionConflict();
  }

  /** The digest of the last event names the whole history, so another writer's state never looks the same. */
  private async isStored({ _id, ws, v, commandSeq, history }: AggregateDocument): Promise<boolean> {
    const stored = await this.documents.load(_id, ws);
    return stored?.v === v && stored.commandSeq === commandSeq && stored.history === history;
  }
}
