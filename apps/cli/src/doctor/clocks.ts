import { fail, ok, warn, type Finding } from './finding';

/**
 * From these differences on a clock needs attention, or does harm: due times, signed calls and tombstones depend on it. Two that
 * are within the second differ by at most 10 s, which the locks of ingestion allow.
 */
export const CLOCK_WARN_MS = 1_000;
export const CLOCK_FAIL_MS = 5_000;

/** Compares another clock with ours; the time of the call counts in its favour. */
export function clockFinding(
  check: string,
  { aheadMs, uncertainMs }: { readonly aheadMs: number; readonly uncertainMs: number },
): Finding {
  const offMs = Math.max(0, Math.abs(aheadMs) - uncertainMs);
  const found = `its clock is ${Math.round(Math.abs(aheadMs))} ms ${aheadMs < 0 ? 'behind' : 'ahead of'} this machine’s`;
  const todo = 'synchronise both machines by NTP';
  if (offMs > CLOCK_FAIL_MS) return fail(check, found, todo);
  return offMs > CLOCK_WARN_MS
    ? warn(check, found, todo)
    : ok(check, `its clock and this machine’s differ by less than ${CLOCK_WARN_MS} ms`);
}
