export interface BreakerLimits {
  /** It opens after so many tries in a row that found nobody. */
  readonly failures: number;
  /** How long it stays open at first; a probe that fails doubles it. */
  readonly pauseMs: number;
}

/** The longest pause, in first ones. */
const LONGEST = 32;

/** Keeps callbacks from a host that cannot be reached: after some failures nothing is sent for a while, and then a single probe. */
export class Breaker {
  private failures = 0;
  private pauseMs: number;
  private closedAtMs = 0;
  private isProbed = false;

  constructor(private readonly limits: BreakerLimits) {
    this.pauseMs = limits.pauseMs;
  }

  /** Whether it has opened, and no probe has succeeded since. */
  get isOpen(): boolean {
    return this.failures >= this.limits.failures;
  }

  get isUntouched(): boolean {
    return this.failures === 0;
  }

  /** Whether a try would be sent. */
  lets(now: Date): boolean {
    return !this.isOpen || (!this.isProbed && now.getTime() >= this.closedAtMs);
  }

  /** A try is sent; answers whether it is the probe. */
  begin(now: Date): boolean {
    const isProbe = this.isOpen && this.lets(now);
    if (isProbe) this.isProbed = true;
    return isProbe;
  }

  /** A try has ended. */
  end({ reached, isProbe, now }: { reached: boolean; isProbe: boolean; now: Date }): void {
    if (isProbe) this.isProbed = false;
    if (reached) {
      this.failures = 0;
      this.pauseMs = this.limits.pauseMs;
      return;
    }
    const wasOpen = this.isOpen;
    this.failures += 1;
    // What was on its way when it opened, and last tries, say nothing new.
    if (wasOpen && !isProbe) return;
    if (isProbe) this.pauseMs = Math.min(this.pauseMs * 2, this.limits.pauseMs * LONGEST);
    if (this.isOpen) this.closedAtMs = now.getTime() + this.pauseMs;
  }
}
