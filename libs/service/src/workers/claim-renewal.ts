import type { Clock } from '../clock';

/** Somebody else has the claim, or nobody is to have it: what was done under it is of no use. */
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

/** Keeps a claim as long as the work under it lasts, also where that waits for somebody slow (D7). */
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

  /** Keeps the claim while the work lasts, looking every `everyMs`. That it was lost the work learns from its own `keep`. */
  async renewWhile<T>(work: Promise<T>, everyMs: number): Promise<T> {
    // What the work waits for keeps a process alive; that somebody looks after its claim does not.
    const timer = setInterval(() => void this.renew().catch(() => undefined), everyMs).unref();
    try {
      return await work;
    } finally {
      clearInterval(timer);
    }
  }
}
