import { withDeadline } from '@opendsr-service/contracts';
import { declareCollection, duplicateKey, sweepPage } from '@opendsr-service/storage';
import { AgedCache } from '@opendsr-service/vault';
import type { Collection, Connection } from 'mongoose';

interface SignatureDocument {
  /** `<ws>:<signature>` */
  readonly _id: string;
  readonly ws: string;
  readonly until: Date;
}

/** As long as budgets wait for the database. */
const FREED_WITHIN_MS = 250;
const IN_MEMORY = { maxEntries: 10_000, maxAgeMs: 3_600_000 };

/** Used signatures, until their dates expire: each admits one call over all processes. */
export class SignaturesStore {
  private readonly signatures: Collection<SignatureDocument>;

  private readonly usedHere = new AgedCache<true>(IN_MEMORY, () => performance.now());

  constructor(connection: Connection) {
    this.signatures = declareCollection(connection, 'signatures', [{ fields: { until: 1 } }]);
  }

  /** False: the signature was used before. */
  async use(ws: string, signature: string, until: Date): Promise<boolean> {
    const _id = `${ws}:${signature}`;
    if (this.usedHere.get(_id)) return false;
    try {
      await this.signatures.insertOne({ _id, ws, until });
      this.usedHere.set(_id, true);
      return true;
    } catch (error) {
      if (!duplicateKey(error)) throw error;
      return false;
    }
  }

  /** The call was not taken, and may be repeated. */
  async free(ws: string, signature: string): Promise<void> {
    const _id = `${ws}:${signature}`;
    this.usedHere.drop(_id);
    await this.signatures.deleteOne({ _id, ws });
  }

  /** If the store is too slow or away, the signature stays used. */
  async freeInTime(ws: string, signature: string): Promise<void> {
    await withDeadline(this.free(ws, signature), FREED_WITHIN_MS, () => undefined).catch(() => undefined);
  }

  /** Removes up to `limit` expired signatures. Returns their number. */
  sweep(now: Date, limit: number): Promise<number> {
    return sweepPage(this.signatures, { until: { $lte: now } }, limit);
  }
}
