/** A page of a list, and the last of it where there are more. */
export interface PageOf<T> {
  readonly items: readonly T[];
  readonly last: T | undefined;
}

/** `found`: what the list has from there on, at least one more than `limit` where there are more. */
export const pageOf = <T>(found: readonly T[], limit: number): PageOf<T> => ({
  items: found.slice(0, limit),
  last: found.length > limit ? found[limit - 1] : undefined,
});
