import type { Clock } from '@opendsr-service/runtime';
import { ERASURE_LEASE_MS, type ClaimedErasure, type ErasuresStore } from './erasures.store';

/** Somebody else has the erasure now. */
export class ErasureTaken extends Error {
  override readonly name = 'ErasureTaken';
}

/** Keeps an erasure claimed while there is much to delete. */
export class Lease {
  private until: number;

  constructor(
    private readonly erasures: ErasuresStore,
    private readonly erasure: ClaimedErasure,
    private readonly clock: Clock,
  ) {
    this.until = erasure.dueAt?.getTime() ?? 0;
  }

  /** Extends the claim once half of it is over. Throws ErasureTaken. */
  async keep(): Promise<void> {
    const now = this.clock.now().getTime();
    if (now < this.until - ERASURE_LEASE_MS / 2) return;
    this.until = now + ERASURE_LEASE_MS;
    if (!(await this.erasures.extend(this.erasure, new Date(this.until)))) throw new ErasureTaken('the claim was over before its work');
  }
}
