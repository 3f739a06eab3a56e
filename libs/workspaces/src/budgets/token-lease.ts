import type { Grant } from './rule';

/**
 * Refusals are kept this long at least and at most, so that a flood of them asks the database a few times a second
 * and a change is seen.
 */
const SHORTEST_RECHECK_MS = 250;
const LONGEST_RECHECK_MS = 1_000;
/** With a quarter left the next lease is asked for, so that nobody waits for it; small ones would only be hoarded. */
const LOW_PART = 4;
const SMALLEST_AHEAD = 8;

/** What one process holds of one workspace's budget. Times in milliseconds since 1970. */
export class TokenLease {
  private held = 0;
  private expiresAtMs = 0;
  private size = 0;
  private grantedPeriod = 0;
  private refusedAtMs = 0;
  private recheckAtMs = 0;
  private freeAtMs = 0;

  constructor(private readonly largest: number) {}

  /** That of the tokens at hand. */
  get period(): number {
    return this.grantedPeriod;
  }

  /** Takes one of the tokens at hand; false where there is none. */
  spend(nowMs: number): boolean {
    if (this.heldAt(nowMs) === 0) return false;
    this.held -= 1;
    return true;
  }

  /** How long until there is a token again, at least 1, where the budget was found empty just now. Undefined: ask. */
  waitMs(nowMs: number): number | undefined {
    return this.isRefused(nowMs) ? Math.max(1, this.freeAtMs - nowMs) : undefined;
  }

  isLow(nowMs: number): boolean {
    return this.size >= SMALLEST_AHEAD && this.held < this.size / LOW_PART && !this.isRefused(nowMs);
  }

  /**
   * How many tokens to ask for; none where no call waits and enough are held. Each lease that was used up makes the
   * next one twice as large, one that lapsed makes it small again:
   * a workspace that calls now and then through many processes must not lose its budget to what each of them holds.
   */
  tokensWanted(nowMs: number, waiting: number): number {
    if (waiting === 0 && !this.isLow(nowMs)) return 0;
    const lapsed = this.held > 0 && nowMs >= this.expiresAtMs;
    const ahead = Math.min(this.largest, Math.max(1, lapsed ? 0 : 2 * this.size));
    // What calls wait for is used as soon as it comes, so it may be more than what is held.
    return Math.max(0, Math.max(waiting, ahead) - this.heldAt(nowMs));
  }

  applyGrant({ tokens, period, untilMs, waitMs }: Grant, nowMs: number): void {
    if (tokens === 0) {
      this.refusedAtMs = nowMs;
      this.freeAtMs = nowMs + waitMs;
      this.recheckAtMs = nowMs + Math.min(LONGEST_RECHECK_MS, Math.max(SHORTEST_RECHECK_MS, waitMs));
      return;
    }
    this.held = tokens + (period === this.grantedPeriod ? this.heldAt(nowMs) : 0);
    this.grantedPeriod = period;
    // What calls were waiting for is no sign of what will be needed.
    this.size = Math.min(this.largest, this.held);
    this.expiresAtMs = untilMs;
    this.recheckAtMs = 0;
  }

  /** Puts one back that was not used; false where the process must not keep it, because its workspace would miss it elsewhere. */
  returnToken(period: number, nowMs: number): boolean {
    if (
      this.largest === 1 ||
      period !== this.grantedPeriod ||
      this.heldAt(nowMs) >= this.largest ||
      nowMs >= this.expiresAtMs
    )
      return false;
    this.held += 1;
    return true;
  }

  /** Everything that it holds, which it holds no more. */
  drain(nowMs: number): number {
    const held = this.heldAt(nowMs);
    this.held = 0;
    return held;
  }

  /** A clock that was set back knows of no refusal: it would last until the clock is there again. */
  private isRefused(nowMs: number): boolean {
    return nowMs >= this.refusedAtMs && nowMs < this.recheckAtMs;
  }

  private heldAt(nowMs: number): number {
    return nowMs < this.expiresAtMs ? this.held : 0;
  }
}
