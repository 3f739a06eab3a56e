export interface RelayGaps {
  readonly firstGapMs: number;
  readonly longestGapMs: number;
}

/** Doubles with each try, up to the longest gap. */
export const resendGapMs = (tries: number, { firstGapMs, longestGapMs }: RelayGaps): number =>
  Math.min(firstGapMs * 2 ** Math.min(tries + 1, 30), longestGapMs);
