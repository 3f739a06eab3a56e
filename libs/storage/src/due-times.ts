import { randomUUID } from 'node:crypto';
import type { Collection } from 'mongoose';

interface DueFields {
  /** The date at which a document is due; absent where nothing is. Needs an index of its own. */
  readonly due: string;
  /** Fields besides `_id` that every write's filter must name, e.g. `ws` (decision 11). */
  readonly filter: readonly string[];
  /** Where the token of the claim is kept. Default: `token`. */
  readonly token?: string;
  /** What a claim returns of a document, besides `_id`. Default: all. */
  readonly fields?: readonly string[];
}

/** A due document: its id, the fields of every filter, and those that `choose` names. */
type FoundDocument = Readonly<Record<string, unknown>>;

interface ClaimOptions {
  /** The most documents to find, the oldest first. */
  readonly limit: number;
  /** How long the claim holds: longer than all time-outs of the work. */
  readonly leaseMs: number;
  readonly where?: Readonly<Record<string, unknown>>;
  /** Which of those found are claimed, by the fields named; default: all of them. */
  readonly choose?: {
    readonly by: readonly string[];
    readonly from: (found: readonly FoundDocument[]) => readonly FoundDocument[];
  };
}

export interface Claimed<T> {
  readonly document: T;
  /** Every later write of this work names it in its filter, so that a late claimant changes nothing. */
  readonly token: string;
}

/** Due times on documents (decision 7): a claim moves the due time, so only one of two racing claimers gets the document. */
export class DueTimes<T extends object> {
  private readonly collection: Collection;
  private readonly due: string;
  private readonly filter: readonly string[];
  private readonly token: string;
  private readonly projection: Readonly<Record<string, 1>> | undefined;
  /** Filters of claims whose outcome a failure hid: they may hold documents that nobody handles. */
  private readonly uncertainClaims: object[] = [];

  constructor(documents: Collection<NoInfer<T>> | Collection, fields: DueFields) {
    this.collection = documents as unknown as Collection;
    this.due = fields.due;
    this.filter = fields.filter;
    this.token = fields.token ?? 'token';
    this.projection = fields.fields && including(fields.fields);
  }

  /** Claims due documents, the oldest first, for `leaseMs`, and returns them as stored after the claim. */
  async claim(now: Date, { limit, leaseMs, where, choose }: ClaimOptions): Promise<Claimed<T>[]> {
    const { collection } = this;
    await this.releaseUncertain(now);
    const isDue = { [this.due]: { $lte: now } };
    const projection = including([...this.filter, ...(choose?.by ?? [])]);
    const found: readonly FoundDocument[] = await collection
      .find({ ...where, ...isDue }, { sort: { [this.due]: 1 }, limit, projection })
      .toArray();
    const page = choose ? choose.from(found) : found;
    if (page.length === 0) return [];
    // One write for the page: a write for each document would cost more than much of the work.
    const token = randomUUID();
    const these = {
      _id: { $in: page.map((one) => one['_id'] as never) },
      ...Object.fromEntries(this.filter.map((field) => [field, { $in: [...new Set(page.map((one) => one[field]))] }])),
    };
    const ours = { ...these, [this.token]: token };
    const claimed = await collection
      .updateMany(
        { ...these, ...isDue },
        { $set: { [this.due]: new Date(now.getTime() + leaseMs), [this.token]: token } },
      )
      .then(() => collection.find(ours, this.projection && { projection: this.projection }).toArray())
      .catch((error: unknown) => {
        this.uncertainClaims.push(ours);
        throw error;
      });
    const order = new Map(page.map((one, place) => [String(one['_id']), place]));
    claimed.sort((a, b) => (order.get(String(a._id)) ?? 0) - (order.get(String(b._id)) ?? 0));
    return claimed.map((document) => ({ document: document as unknown as T, token }));
  }

  /** The earliest time at which something is due after `now`; claims that run out count too. */
  async nextAfter(now: Date): Promise<Date | undefined> {
    const [next] = await this.collection
      .find({ [this.due]: { $gt: now } }, { sort: { [this.due]: 1 }, limit: 1, projection: { [this.due]: 1 } })
      .toArray();
    return next?.[this.due] as Date | undefined;
  }

  /** Makes every claimed document due. Only for the single process of a database. */
  async releaseAll(now: Date): Promise<void> {
    await this.collection.updateMany(
      { [this.due]: { $gt: now }, [this.token]: { $exists: true } },
      { $set: { [this.due]: now }, $unset: { [this.token]: 1 } },
    );
  }

  /** Otherwise what an outage left claimed would wait for the end of its lease. */
  private async releaseUncertain(now: Date): Promise<void> {
    for (let ours = this.uncertainClaims[0]; ours; ours = this.uncertainClaims[0]) {
      await this.collection.updateMany(ours, { $set: { [this.due]: now }, $unset: { [this.token]: 1 } });
      this.uncertainClaims.shift();
    }
  }
}

const including = (fields: readonly string[]): Record<string, 1> =>
  Object.fromEntries(fields.map((field) => [field, 1] as const));
