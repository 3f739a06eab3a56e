/** A time as answers show it; null where there is none. */
export const timeOf = (at: Date | string | undefined): string | null =>
  at === undefined ? null : new Date(at).toISOString();
