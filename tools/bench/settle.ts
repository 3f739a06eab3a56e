import { cpuBetween, readCpu } from './cpu';

/** The parts of a run that are not under load of their own accord. */
const OURS = ['generator', 'callback-receivers', 'floor', 'mongod', 'broker'];
const LOOK_MS = 1_000;
/** Of one core, all services together: a little more than polling costs. */
const IDLE_SHARE = 0.2;

/**
 * Waits until the services have done what they put off, and answers how long that took. No longer than the limit. `also`: parts
 * that have to be idle too.
 */
export async function untilIdle(limitMs: number, also: readonly string[] = []): Promise<number> {
  const begin = performance.now();
  for (let before = await readCpu(); performance.now() - begin < limitMs;) {
    const lookedAt = performance.now();
    await new Promise((next) => setTimeout(next, LOOK_MS));
    const after = await readCpu();
    const usedMs = [...cpuBetween(before, after)]
      .filter(([part]) => also.includes(part) || !OURS.includes(part))
      .reduce((sum, [, cpuMs]) => sum + cpuMs, 0);
    if (usedMs < IDLE_SHARE * (performance.now() - lookedAt)) return lookedAt - begin;
    before = after;
  }
  return performance.now() - begin;
}
