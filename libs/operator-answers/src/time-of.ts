/** A time as answers show it; null where there is none. */
export const timeOf = (at: Date | string | null | undefined): string | null =>
  at === undefined || at === null ? null : new Date(at).toISOString();
