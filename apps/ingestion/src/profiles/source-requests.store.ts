import { awaitCurrentReads, declareCollection, findInPages, insertMissing, sweepPage } from '@opendsr-service/storage';
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

  /**
   * Stores the first message of each id, and returns the messages that repeat one. Idempotent. What is repeated is not stored,
   * so only an entry that names another message proves it: an old one may be swept between the two calls.
   */
  async findRepeated(requests: readonly SourceRequest[]): Promise<ReadonlySet<string>> {
    const firsts = new Map<string, SourceRequestDocument>();
    for (const { ws, hash, messageId, at } of requests) {
      const _id = `${ws}:${hash}`;
      if (!firsts.has(_id)) firsts.set(_id, { _id, ws, messageId, at });
    }
    await insertMissing(this.requests, [...firsts.values()]);
    const kept = await this.readCurrent([...firsts.values()]);
    const repeated = requests.filter(({ ws, hash, messageId }) => {
      const _id = `${ws}:${hash}`;
      return (kept.get(_id) ?? firsts.get(_id))?.messageId !== messageId;
    });
    return new Set(repeated.map(({ messageId }) => messageId));
  }

  /** Reads again what is missed: it may only be missed after an election. Each may lie on a shard of its own. */
  private async readCurrent(
    entries: readonly SourceRequestDocument[],
  ): Promise<ReadonlyMap<string, SourceRequestDocument>> {
    const found = await this.read(entries.map(({ _id }) => _id));
    const missing = entries.filter(({ _id }) => !found.has(_id));
    await Promise.all(missing.map(({ _id, ws }) => awaitCurrentReads(this.requests, { _id, ws })));
    return new Map([...found, ...(await this.read(missing.map(({ _id }) => _id)))]);
  }

  private async read(ids: readonly string[]): Promise<ReadonlyMap<string, SourceRequestDocument>> {
    const found = await findInPages(ids, (page) => this.requests.find({ _id: { $in: page } }).toArray());
    return new Map(found.map((one) => [one._id, one]));
  }

  /** Removes up to `limit` entries older than `before`. Returns their number. */
  sweep(before: Date, limit: number): Promise<number> {
    return sweepPage(this.requests, { at: { $lt: before } }, limit);
  }
}
