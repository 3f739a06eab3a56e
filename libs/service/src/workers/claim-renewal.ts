import type { Clock } from '../clock';

/** Another process holds the claim, or it is gone: drop the work done under it. */
export class ClaimLost extends Error {
  override readonly name = 'ClaimLost';
}

/** A claim on work that may outlast it. */
interface RenewableClaim {
  readonly leaseMs: number;
  /** The end of the claim; absent: it may be over. */
  readonly heldUntil: Date | undefined;
  /** Extends the claim; false: it is lost. */
  readonly renew: (until: Date) => Promise<boolean>;
}

/** Keeps a claim while the work under it lasts, also while it waits for a slow reader (decision 7). */
export class ClaimRenewal {
  private extendAtMs: number;
  private lost = false;

  constructor(
    private readonly claim: RenewableClaim,
    private readonly clock: Clock,
  ) {
    this.extendAtMs = (claim.heldUntil?.getTime() ?? 0) - claim.leaseMs / 2;
  }

  /** Extends the claim once half of it is over. Throws ClaimLost. */
  async renew(): Promise<void> {
    const { leaseMs, renew: extend } = this.claim;
    const nowMs = this.clock.now().getTime();
    if (!this.lost && nowMs >= this.extendAtMs) {
      this.lost = !(await extend(new Date(nowMs + leaseMs)));
      this.extendAtMs = nowMs + leaseMs / 2;
    }
    if (this.lost) throw new ClaimLost();
  }

  /** Checks the claim every `everyMs` while the work lasts. A loss shows in the work's next `renew`. */
  async renewWhile<T>(work: Promise<T>, everyMs: number): Promise<T> {
    // The timer alone must not keep the process alive.
    const timer = setInterval(() => void this.renew().catch(() => undefined), everyMs).unref();
    try {
      return await work;
    } finally {
      clearInterval(timer);
    }
  }
}
