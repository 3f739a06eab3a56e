import type { Collection, Connection } from 'mongoose';
import { declareCollection, type DeclaredIndex } from './declare-collection';
import { DueTimes } from './due-times';

/** A document whose work is done by one process at a time. */
export interface DueDocument {
  readonly _id: string;
  readonly ws: string;
  /** Failures since the last success. */
  readonly tries: number;
  readonly dueAt?: Date;
  /** When the work was first due. Claims and retries change `dueAt` only. */
  readonly dueSince?: Date;
  readonly token?: string;
}

/** A document that this process has claimed. */
export type ClaimedDocument<D extends DueDocument> = D & { readonly token: string };

interface Kept {
  readonly collection: string;
  /** Besides those of the due times. */
  readonly indexes?: readonly DeclaredIndex[];
  readonly leaseMs: number;
}

/** Only of documents with work. */
const DUE_INDEXES: readonly DeclaredIndex[] = [
  { fields: { dueAt: 1 }, where: 'dueAt' },
  { fields: { dueSince: 1 }, where: 'dueAt' },
];

/** A collection of due documents (decision 7). False, of each write of a claim: another worker has it. */
export abstract class DueDocuments<D extends DueDocument> {
  protected readonly collection: Collection<D>;
  private readonly claims: DueTimes<D>;
  /** How long a claim holds. */
  readonly leaseMs: number;

  constructor(connection: Connection, { collection, indexes = [], leaseMs }: Kept) {
    this.collection = declareCollection<D>(connection, collection, [...DUE_INDEXES, ...indexes]);
    this.claims = new DueTimes<D>(this.collection, { due: 'dueAt', filter: ['ws'] });
    this.leaseMs = leaseMs;
  }

  /** Releases the claims of a dead process. Call it only when no other process uses the database. */
  releaseClaims(now: Date): Promise<void> {
    return this.claims.releaseAll(now);
  }

  async claimDue(now: Date, limit: number): Promise<ClaimedDocument<D>[]> {
    const claims = await this.claims.claim(now, { limit, leaseMs: this.leaseMs });
    return claims.map(({ document, token }) => ({ ...document, token }));
  }

  nextDueAfter(now: Date): Promise<Date | undefined> {
    return this.claims.nextAfter(now);
  }

  /** Keeps the claim. */
  renew(claimed: ClaimedDocument<D>, until: Date): Promise<boolean> {
    return this.change(claimed, { $set: { dueAt: until } });
  }

  /** Gives the claim back after a failure. */
  reschedule(claimed: ClaimedDocument<D>, dueAt: Date): Promise<boolean> {
    return this.change(claimed, { $set: { tries: claimed.tries + 1, dueAt }, $unset: { token: 1 } });
  }

  /** Every write of the work names the token, so that a late claimant changes nothing. */
  protected async change({ _id, ws, token }: ClaimedDocument<D>, update: object): Promise<boolean> {
    const mine = { _id, ws, token } as unknown as Parameters<Collection<D>['updateOne']>[0];
    return (await this.collection.updateOne(mine, update)).matchedCount === 1;
  }
}
