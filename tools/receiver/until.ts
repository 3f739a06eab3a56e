import { setTimeout as sleep } from 'node:timers/promises';

const POLL_MS = 25;

/** Waits until a question has an answer (anything but undefined and false). Throws, naming what was waited for, when it takes too long. */
export async function until<T>(what: string, ask: () => Promise<T> | T, timeoutMs = 30_000): Promise<Exclude<T, undefined | false>> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined && answer !== false) return answer as Exclude<T, undefined | false>;
    if (performance.now() > deadline) throw new Error(`waited ${String(timeoutMs)} ms in vain for ${what}`);
    await sleep(POLL_MS);
  }
}
