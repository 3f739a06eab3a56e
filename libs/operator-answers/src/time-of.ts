/** A time as answers show it; null where there is none. */
export const timeOf = (at: Date | string | null | undefined): string | null =>
  at === undefined || at === null ? null : new Date(at).toISOString();

/** The latest that a date can hold. */
const LATEST_MS = 8_640_000_000_000_000;

/** The time of a record; null where its writer gave it none that a date can hold. */
export const timeOfRecord = (ms: number): string | null =>
  ms >= 0 && ms <= LATEST_MS ? new Date(ms).toISOString() : null;
