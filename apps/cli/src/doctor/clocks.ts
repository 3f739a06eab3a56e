import { fail, ok, warn, type Finding } from './finding';

/** From here on a clock is looked at, and from here on it does harm: due times, signed calls and tombstones go by them. */
export const CLOCK_WARN_MS = 1_000;
export const CLOCK_FAIL_MS = 10_000;

/** How far another clock is from ours. What the way there took is given to it. */
export function clockFinding(
  check: string,
  { aheadMs, uncertainMs }: { readonly aheadMs: number; readonly uncertainMs: number },
): Finding {
  const offMs = Math.max(0, Math.abs(aheadMs) - uncertainMs);
  const found = `its clock is ${Math.round(Math.abs(aheadMs))} ms ${aheadMs < 0 ? 'behind' : 'ahead of'} this machine’s`;
  const todo = 'let both machines take the time from NTP';
  if (offMs > CLOCK_FAIL_MS) return fail(check, found, todo);
  return offMs > CLOCK_WARN_MS
    ? warn(check, found, todo)
    : ok(check, `its clock and this machine’s differ by less than ${CLOCK_WARN_MS} ms`);
}
