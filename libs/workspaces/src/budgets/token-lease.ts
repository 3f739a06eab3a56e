import type { Grant } from './rule';

/** Bounds of the time between questions to an empty budget. */
const SHORTEST_RECHECK_MS = 250;
const LONGEST_RECHECK_MS = 1_000;
/** With a quarter left the next lease is requested, unless it is small. */
const LOW_PART = 4;
const SMALLEST_AHEAD = 8;

/** The tokens of a workspace that one process holds. */
export class TokenLease {
  private held = 0;
  private expiresAtMs = 0;
  private size = 0;
  private grantedPeriod = 0;
  private refusedAtMs = 0;
  private recheckAtMs = 0;
  private freeAtMs = 0;

  constructor(private readonly largest: number) {}

  get period(): number {
    return this.grantedPeriod;
  }

  spend(nowMs: number): boolean {
    if (this.heldAt(nowMs) === 0) return false;
    this.held -= 1;
    return true;
  }

  /** The wait, at least 1, if the budget was just found empty. Undefined: ask the database. */
  waitMs(nowMs: number): number | undefined {
    return this.isRefused(nowMs) ? Math.max(1, this.freeAtMs - nowMs) : undefined;
  }

  isLow(nowMs: number): boolean {
    return this.size >= SMALLEST_AHEAD && this.held < this.size / LOW_PART && !this.isRefused(nowMs);
  }

  /** A lease doubles after one that was used up and is small after one that lapsed, so that idle processes hoard little. */
  tokensWanted(nowMs: number, waiting: number): number {
    if (waiting === 0 && !this.isLow(nowMs)) return 0;
    const lapsed = this.held > 0 && nowMs >= this.expiresAtMs;
    const ahead = Math.min(this.largest, Math.max(1, lapsed ? 0 : 2 * this.size));
    // Waiting calls use their tokens at once, so these may exceed the largest lease.
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
    this.size = Math.min(this.largest, this.held);
    this.expiresAtMs = untilMs;
    this.recheckAtMs = 0;
  }

  /** False: the process must not keep the token. */
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

  drain(nowMs: number): number {
    const held = this.heldAt(nowMs);
    this.held = 0;
    // Or the lease would count as low, and a further one be taken.
    this.size = 0;
    return held;
  }

  /** A refusal from a later time is void: the clock was set back. */
  private isRefused(nowMs: number): boolean {
    return nowMs >= this.refusedAtMs && nowMs < this.recheckAtMs;
  }

  private heldAt(nowMs: number): number {
    return nowMs < this.expiresAtMs ? this.held : 0;
  }
}
