export interface BreakerLimits {
  /** It opens after so many tries in a row that found nobody. */
  readonly failures: number;
  /** How long it stays open at first; a probe that fails doubles it. */
  readonly pauseMs: number;
  readonly longestPauseMs: number;
}

/** Keeps callbacks from a host that cannot be reached: after some failures nothing is sent for a while, and then a single probe. */
export class Breaker {
  private failures = 0;
  private pauseMs: number;
  private closedAtMs = 0;
  private isProbed = false;

  constructor(private readonly limits: BreakerLimits) {
    this.pauseMs = limits.pauseMs;
  }

  /** `probing`: its pause is over, and a single try shows whether the host can be reached again. */
  state(now: Date): 'closed' | 'paused' | 'probing' {
    if (!this.isOpen) return 'closed';
    return this.isProbed || now.getTime() >= this.closedAtMs ? 'probing' : 'paused';
  }

  /** Whether a try would be sent. */
  allows(now: Date): boolean {
    return !this.isProbed && this.state(now) !== 'paused';
  }

  /** A try is sent; answers whether it is the probe. */
  begin(now: Date): boolean {
    const isProbe = this.isOpen && this.allows(now);
    if (isProbe) this.isProbed = true;
    return isProbe;
  }

  /** A try that has begun is not sent after all. */
  cancelProbe(isProbe: boolean): void {
    if (isProbe) this.isProbed = false;
  }

  /** A try has ended; answers whether that closed it. */
  end({ reached, isProbe, now }: { reached: boolean; isProbe: boolean; now: Date }): boolean {
    if (isProbe) this.isProbed = false;
    const wasOpen = this.isOpen;
    if (reached) {
      this.failures = 0;
      this.pauseMs = this.limits.pauseMs;
      return wasOpen;
    }
    this.failures += 1;
    // What was on its way when it opened, and last tries, say nothing new.
    if (wasOpen && !isProbe) return false;
    if (isProbe) this.pauseMs = Math.min(this.pauseMs * 2, this.limits.longestPauseMs);
    if (this.isOpen) this.closedAtMs = now.getTime() + this.pauseMs;
    return false;
  }

  private get isOpen(): boolean {
    return this.failures >= this.limits.failures;
  }
}
