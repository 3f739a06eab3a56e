import type { Clock } from '../clock';

/** The claim is held by another process, or it is gone: work done under it must be dropped. */
export class ClaimLost extends Error {
  override readonly name = 'ClaimLost';
}

/** A claim on work that may last longer than the claim does by itself. */
export interface ExtendableClaim {
  /** How long it holds without being extended. */
  readonly leaseMs: number;
  /** Until when it was given; absent: it may be over. */
  readonly heldUntil: Date | undefined;
  /** Makes it hold until then; false: it is over. */
  readonly extend: (until: Date) => Promise<boolean>;
}

/** Keeps a claim as long as the work under it lasts, also where that waits for somebody slow (decision 7). */
export class ClaimRenewal {
  private extendAtMs: number;
  private lost = false;

  constructor(
    private readonly claim: ExtendableClaim,
    private readonly clock: Clock,
  ) {
    this.extendAtMs = (claim.heldUntil?.getTime() ?? 0) - claim.leaseMs / 2;
  }

  /** Extends the claim once half of it is over. Throws ClaimLost. */
  async renew(): Promise<void> {
    const { leaseMs, extend } = this.claim;
    const nowMs = this.clock.now().getTime();
    if (!this.lost && nowMs >= this.extendAtMs) {
      this.lost = !(await extend(new Date(nowMs + leaseMs)));
      this.extendAtMs = nowMs + leaseMs / 2;
    }
    if (this.lost) throw new ClaimLost();
  }

  /** Checks the claim every `everyMs` while the work lasts. The work learns of its loss from `renew`. */
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
