/** Something that took a while: when it began and how long it took, in milliseconds of one clock. */
export interface Lag {
  readonly startedAtMs: number;
  readonly lagMs: number;
}

/** What a table says of many durations. */
export interface Spread {
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** The smallest value that at least `percent` of all are not above (nearest rank); undefined of none. */
export function percentile(sorted: ArrayLike<number>, percent: number): number | undefined {
  return sorted[Math.max(Math.ceil((percent / 100) * sorted.length), 1) - 1];
}

/** Null where nothing was measured. */
export function spreadOf(durationsMs: readonly number[]): Spread | null {
  const sorted = Float64Array.from(durationsMs).sort();
  const [p50Ms, p99Ms] = [percentile(sorted, 50), percentile(sorted, 99)];
  return p50Ms === undefined || p99Ms === undefined ? null : { p50Ms, p99Ms };
}

/**
 * How much longer things take for each second that goes by, in seconds: the slope of the line through all lags by least squares.
 * Where work arrives at a rate r and this is s, it is done at r / (1 + s). Null of fewer than two moments.
 */
export function lagGrowth(lags: readonly Lag[]): number | null {
  const meanStart = mean(lags.map(({ startedAtMs }) => startedAtMs));
  const meanLag = mean(lags.map(({ lagMs }) => lagMs));
  const spread = sum(lags.map(({ startedAtMs }) => (startedAtMs - meanStart) ** 2));
  if (!(spread > 0)) return null;
  return sum(lags.map(({ startedAtMs, lagMs }) => (startedAtMs - meanStart) * (lagMs - meanLag))) / spread;
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
const mean = (values: readonly number[]): number => sum(values) / values.length;
