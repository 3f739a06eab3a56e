import { randomUUID } from 'node:crypto';
import { declareCollection, duplicateKey, sweepPage } from '@opendsr-service/storage';
import type { Collection, Connection } from 'mongoose';

interface LockDocument {
  readonly _id: string;
  readonly ws: string;
  readonly token: string;
  readonly until: Date;
}

export interface HeldLocks {
  /** After this time another caller, whose clock may be ahead, may take the locks. */
  readonly until: Date;
  release(): Promise<void>;
}

export const LOCK_LEASE_MS = 20_000;
/**
 * The clocks of processes may differ by that much (decision 15). What is left is longer than the write of a profile with
 * its identities takes.
 */
const HOLDER_STOPS_BEFORE_MS = 10_000;

/** Serialises calls that assign owners, so that calls with different identities of a new subject get one profile. */
export class IdentityLocks {
  private readonly locks: Collection<LockDocument>;

  constructor(connection: Connection) {
    this.locks = declareCollection(connection, 'identityLocks', [{ fields: { until: 1 } }]);
  }

  /** Takes all locks or none. Undefined: another caller holds one. */
  async acquire(ws: string, ids: readonly string[], now: Date): Promise<HeldLocks | undefined> {
    const token = randomUUID();
    const until = new Date(now.getTime() + LOCK_LEASE_MS);
    const taken: string[] = [];
    const release = async (): Promise<void> => {
      for (const _id of taken) await this.locks.deleteOne({ _id, ws, token });
    };
    let isHeld = true;
    try {
      // Sorted, so that one of two callers succeeds.
      for (const _id of [...ids].sort()) {
        // Before it is known: a write that failed may have taken effect.
        taken.push(_id);
        isHeld = await this.acquireOne({ _id, ws, token, until }, now);
        if (!isHeld) break;
      }
    } catch (error) {
      // Where the store is still away, the lease ends them.
      await release().catch(() => undefined);
      throw error;
    }
    if (isHeld) return { until: new Date(until.getTime() - HOLDER_STOPS_BEFORE_MS), release };
    await release();
    return undefined;
  }

  /** Removes up to `limit` expired locks. Returns their number. */
  sweep(now: Date, limit: number): Promise<number> {
    return sweepPage(this.locks, { until: { $lte: now } }, limit);
  }

  private async acquireOne(lock: LockDocument, now: Date): Promise<boolean> {
    try {
      await this.locks.insertOne(lock);
      return true;
    } catch (error) {
      if (!duplicateKey(error)) throw error;
      const { _id, ws, token, until } = lock;
      const left = await this.locks.updateOne({ _id, ws, until: { $lte: now } }, { $set: { token, until } });
      return left.matchedCount === 1;
    }
  }
}
