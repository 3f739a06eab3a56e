import { randomUUID } from 'node:crypto';
import { duplicateKey } from '@opendsr-service/storage';
import type { Collection, Connection } from 'mongoose';

interface LockDocument {
  readonly _id: string;
  readonly ws: string;
  readonly token: string;
  readonly until: Date;
}

/** Longer than it takes to write a profile with its identities; what a crash leaves is taken over after it. */
const LEASE_MS = 10_000;

/**
 * Lets one caller at a time give owners to the same identities, so that calls that name one new customer in different words
 * agree on one profile. A call whose identities all have owners needs none.
 */
export class IdentityLocks {
  private readonly locks: Collection<LockDocument>;

  constructor(connection: Connection) {
    this.locks = connection.collection<LockDocument>('identityLocks');
  }

  /** Takes all of them or none. The answer gives them back; undefined: somebody else is at it. */
  async take(ws: string, ids: readonly string[], now: Date): Promise<(() => Promise<void>) | undefined> {
    const token = randomUUID();
    const until = new Date(now.getTime() + LEASE_MS);
    const taken: string[] = [];
    const giveBack = async (): Promise<void> => {
      for (const _id of taken) await this.locks.deleteOne({ _id, ws, token });
    };
    // In one order for all, so that of two callers one gets through.
    for (const _id of [...ids].sort()) {
      if (!(await this.takeOne({ _id, ws, token, until }, now))) {
        await giveBack();
        return undefined;
      }
      taken.push(_id);
    }
    return giveBack;
  }

  private async takeOne(lock: LockDocument, now: Date): Promise<boolean> {
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
