/** What became of one call, and where the next one goes on. */
export interface Call {
  readonly counts: readonly [number, number];
  readonly next: string | null;
}

/** The sums of all calls. */
export interface EveryCall {
  readonly counts: readonly [number, number];
  /** Why the last one failed; absent where nothing is left. */
  readonly error?: unknown;
}

/** Calls until nothing is left, or a call fails. Throws where the first one fails. */
export async function everyCall(call: (cursor: string | null) => Promise<Call>): Promise<EveryCall> {
  let { counts, next } = await call(null);
  while (next !== null) {
    try {
      const one = await call(next);
      counts = [counts[0] + one.counts[0], counts[1] + one.counts[1]];
      next = one.next;
    } catch (error) {
      return { counts, error };
    }
  }
  return { counts };
}
