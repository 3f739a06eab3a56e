export interface RelayGaps {
  readonly firstGapMs: number;
  readonly longestGapMs: number;
}

/** The gap after resending number `tries`: it doubles from twice the first one to the longest. */
export const resendGapMs = (tries: number, { firstGapMs, longestGapMs }: RelayGaps): number =>
  Math.min(firstGapMs * 2 ** Math.min(tries + 1, 30), longestGapMs);
