import { declareCollection, findInPages, insertMissing, sweepPage } from '@opendsr-service/storage';
import type { Collection, Connection } from 'mongoose';

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

/** Distinguishes a batch that a caller repeats from a record that the log repeats (protocol, "De-duplication"). */
export class SourceRequestsStore {
  private readonly requests: Collection<SourceRequestDocument>;

  constructor(connection: Connection) {
    this.requests = declareCollection(connection, 'sourceRequests', [{ fields: { at: 1 } }]);
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
