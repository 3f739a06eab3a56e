/** Counts of requests stop here. */
export const MOST_COUNTED = 10_000;
