import { Schema, type Collection, type Connection } from 'mongoose';
import { findInPages } from '../in-pages';
import { insertMissing, sweepPage } from '../paged-writes.store';

export interface SourceRequest {
  readonly ws: string;
  /** Keyed hash of the caller's key and its `source_request_id`. */
  readonly hash: string;
  readonly messageId: string;
  readonly at: Date;
}

interface SourceRequestDocument {
  /** `<ws>:<hash>` */
  readonly _id: string;
  readonly ws: string;
  readonly messageId: string;
  readonly at: Date;
}

const sourceRequestSchema = new Schema(
  { _id: String, ws: String, at: Date },
  { strict: false, versionKey: false, autoIndex: false },
);
sourceRequestSchema.index({ at: 1 });

/** Distinguishes a batch that a caller repeats from a record that the log repeats (protocol, "De-duplication"). */
export class SourceRequestsStore {
  private readonly requests: Collection<SourceRequestDocument>;

  constructor(connection: Connection) {
    connection.model('SourceRequest', sourceRequestSchema, 'sourceRequests');
    this.requests = connection.collection<SourceRequestDocument>('sourceRequests');
  }

  /** Stores the first message of each id, and returns the messages that repeat one. Idempotent. */
  async findRepeated(requests: readonly SourceRequest[]): Promise<ReadonlySet<string>> {
    const firsts = new Map<string, SourceRequestDocument>();
    for (const { ws, hash, messageId, at } of requests) {
      const _id = `${ws}:${hash}`;
      if (!firsts.has(_id)) firsts.set(_id, { _id, ws, messageId, at });
    }
    await insertMissing(this.requests, [...firsts.values()]);
    const kept = await findInPages([...firsts.keys()], (page) => this.requests.find({ _id: { $in: page } }).toArray());
    const messages = new Set(kept.map(({ messageId }) => messageId));
    return new Set(requests.filter(({ messageId }) => !messages.has(messageId)).map(({ messageId }) => messageId));
  }

  /** Removes up to `limit` entries older than `before`. Returns their number. */
  sweep(before: Date, limit: number): Promise<number> {
    return sweepPage(this.requests, { at: { $lt: before } }, limit);
  }
}
