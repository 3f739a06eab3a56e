import type { Clock } from '@opendsr-service/runtime';

/** How long a claim holds without being extended. */
export const ERASURE_LEASE_MS = 60_000;

/** Somebody else has the erasure now. */
export class ErasureTaken extends Error {
  override readonly name = 'ErasureTaken';
}

/** Keeps an erasure claimed while there is much to delete. */
export class Lease {
  private untilMs: number;

  constructor(
    until: Date | undefined,
    /** Makes the claim hold until then; false: it is over. */
    private readonly extend: (until: Date) => Promise<boolean>,
    private readonly clock: Clock,
  ) {
    this.untilMs = until?.getTime() ?? 0;
  }

  /** Extends the claim once half of it is over. Throws ErasureTaken. */
  async keep(): Promise<void> {
    const nowMs = this.clock.now().getTime();
    if (nowMs < this.untilMs - ERASURE_LEASE_MS / 2) return;
    this.untilMs = nowMs + ERASURE_LEASE_MS;
    if (!(await this.extend(new Date(this.untilMs)))) throw new ErasureTaken('the claim was over before its work');
  }
}
