export interface BreakerLimits {
  /** It opens after this many consecutive attempts that did not reach the host. */
  readonly failures: number;
  /** The first pause; each failed probe doubles it. */
  readonly pauseMs: number;
  readonly longestPauseMs: number;
}

/** Stops callbacks to an unreachable host for a pause, then allows a single probe. */
export class Breaker {
  private failures = 0;
  private pauseMs: number;
  private closedAtMs = 0;
  private isProbed = false;

  constructor(private readonly limits: BreakerLimits) {
    this.pauseMs = limits.pauseMs;
  }

  state(now: Date): 'closed' | 'paused' | 'probing' {
    if (!this.isOpen) return 'closed';
    return this.isProbed || now.getTime() >= this.closedAtMs ? 'probing' : 'paused';
  }

  /** Until when nothing but last attempts is sent. Undefined: it is closed. */
  get pausedUntil(): Date | undefined {
    return this.isOpen ? new Date(this.closedAtMs) : undefined;
  }

  allows(now: Date): boolean {
    return !this.isProbed && this.state(now) !== 'paused';
  }

  begin(now: Date): boolean {
    const isProbe = this.isOpen && this.allows(now);
    if (isProbe) this.isProbed = true;
    return isProbe;
  }

  cancelProbe(isProbe: boolean): void {
    if (isProbe) this.isProbed = false;
  }

  end({ reached, isProbe, now }: { reached: boolean; isProbe: boolean; now: Date }): void {
    if (isProbe) this.isProbed = false;
    const wasOpen = this.isOpen;
    if (reached) {
      this.failures = 0;
      this.pauseMs = this.limits.pauseMs;
      return;
    }
    this.failures += 1;
    // Attempts that began before it opened, and last attempts, do not extend the pause.
    if (wasOpen && !isProbe) return;
    if (isProbe) this.pauseMs = Math.min(this.pauseMs * 2, this.limits.longestPauseMs);
    if (this.isOpen) this.closedAtMs = now.getTime() + this.pauseMs;
  }

  private get isOpen(): boolean {
    return this.failures >= this.limits.failures;
  }
}
