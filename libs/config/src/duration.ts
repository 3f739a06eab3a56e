const unitMs: readonly (readonly [unit: string, ms: number])[] = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
  ['ms', 1],
];

/** The milliseconds of `7d`, `48h`, `15min`, `5s` or `250ms`; undefined for anything else. */
export function parseDurationMs(text: string): number | undefined {
  const [, digits, unit] = /^(\d{1,10})(ms|s|min|h|d)$/.exec(text) ?? [];
  const ms = unitMs.find(([name]) => name === unit)?.[1];
  return digits === undefined || ms === undefined ? undefined : Number(digits) * ms;
}

/** A duration in the largest unit that shows it whole. */
export function showDurationMs(valueMs: number): string {
  const [unit, ms] = unitMs.find(([, size]) => valueMs >= size && valueMs % size === 0) ?? ['ms', 1];
  return `${valueMs / ms}${unit}`;
}
