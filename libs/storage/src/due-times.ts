import { randomUUID } from 'node:crypto';
import type { Model } from 'mongoose';

export interface DueFields {
  /** The date at which a document is due; absent where nothing is. Needs an index of its own. */
  readonly due: string;
  /** Fields besides `_id` that every write's filter must name, e.g. `ws` (D11). */
  readonly filter: readonly string[];
  /** Where the token of the claim is kept. Default: `token`. */
  readonly token?: string;
}

export interface ClaimOptions {
  /** How many at most. */
  readonly limit: number;
  /** How long the claim holds: longer than all time-outs of the work. */
  readonly leaseMs: number;
}

export interface Claimed<T> {
  readonly document: T;
  /** Every later write of this work names it in its filter, so that a claimant who came too late changes nothing. */
  readonly token: string;
}

/** Timers as due times on documents (D7): a claim is a compare-and-set of the time that was seen, so of two racing claimers one gets it. */
export class DueTimes<T extends object> {
  private readonly due: string;
  private readonly filter: readonly string[];
  private readonly token: string;

  constructor(
    private readonly model: Model<T>,
    fields: DueFields,
  ) {
    this.due = fields.due;
    this.filter = fields.filter;
    this.token = fields.token ?? 'token';
  }

  /**
   * Claims documents that are due at `now`, the oldest first, and puts their due time off by the lease. They are given back as they are
   * stored after the claim, whatever others changed of them between the search and the claim.
   */
  async claim(now: Date, { limit, leaseMs }: ClaimOptions): Promise<Claimed<T>[]> {
    const page = await this.model.collection.find({ [this.due]: { $lte: now } }, { sort: { [this.due]: 1 }, limit }).toArray();
    const lease = new Date(now.getTime() + leaseMs);
    const claims = await Promise.all(page.map((document) => this.take(document, lease)));
    return claims.filter((claim) => claim !== undefined);
  }

  /**
   * Makes every claimed document due at once. Only for a process that knows it is alone with the database: then whoever holds a claim
   * is dead, and nobody needs to wait until it would have come back.
   */
  async releaseAll(now: Date): Promise<void> {
    await this.model.collection.updateMany({ [this.due]: { $gt: now }, [this.token]: { $exists: true } }, { $set: { [this.due]: now }, $unset: { [this.token]: 1 } });
  }

  private async take(document: Record<string, unknown>, lease: Date): Promise<Claimed<T> | undefined> {
    const token = randomUUID();
    const named = Object.fromEntries(this.filter.map((field) => [field, document[field]]));
    const seen = { _id: document['_id'] as never, ...named, [this.due]: document[this.due] };
    const claimed = await this.model.collection.findOneAndUpdate(seen, { $set: { [this.due]: lease, [this.token]: token } }, { returnDocument: 'after' });
    return claimed ? { document: claimed as unknown as T, token } : undefined;
  }
}
