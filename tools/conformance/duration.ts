const UNITS_MS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, min: 60_000, h: 3_600_000 };

/** The milliseconds of a text such as 30s or 20m; undefined if invalid. */
export function durationMs(text: string): number | undefined {
  const [, count, unit = ''] = /^(\d{1,9})([a-z]+)$/.exec(text) ?? [];
  const unitMs = Object.hasOwn(UNITS_MS, unit) ? UNITS_MS[unit] : undefined;
  return unitMs === undefined ? undefined : Number(count) * unitMs;
}

/** In the largest unit that shows it as a whole number. */
export function shownDuration(ms: number): string {
  const unit = ['h', 'm', 's'].find((name) => ms > 0 && ms % (UNITS_MS[name] ?? 1) === 0) ?? 'ms';
  return `${String(ms / (UNITS_MS[unit] ?? 1))} ${unit === 'm' ? 'min' : unit}`;
}
