import { setTimeout as delay } from 'node:timers/promises';

/** Waits for a condition; fails with its source after `atMostMs`, so that a spec says what never came. */
export async function until(condition: () => boolean | Promise<boolean>, atMostMs = 120_000): Promise<void> {
  const end = performance.now() + atMostMs;
  while (!(await condition())) {
    if (performance.now() > end) throw new Error(`never true: ${condition.toString()}`);
    await delay(10);
  }
}
