import { setTimeout as sleep } from 'node:timers/promises';

const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 400;

/**
 * Waits until `ask` returns something other than undefined and false. Throws with the name of the condition after the
 * limit.
 */
export async function until<T>(
  what: string,
  ask: () => Promise<T> | T,
  timeoutMs = 120_000,
): Promise<Exclude<T, undefined | false>> {
  const deadline = performance.now() + timeoutMs;
  // After a long wait the pauses grow, which leaves more time for the awaited work.
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 1.2, LONGEST_PAUSE_MS)) {
    const answer = await ask();
    if (answer !== undefined && answer !== false) return answer as Exclude<T, undefined | false>;
    if (performance.now() > deadline) throw new Error(`waited ${String(timeoutMs)} ms in vain for ${what}`);
    await sleep(pauseMs);
  }
}
