import { setTimeout } from 'node:timers/promises';

/** How long a cluster may take to tell all of its brokers what it decided: each answers from its own copy, which comes after the controller's. */
const settlesInMs = 30_000;
const askAgainAfterMs = 100;

/** Asks again, over and over, while the error is one that passes by itself. The last error is thrown when the time is over. */
export async function retryUntilSettled<T>(
  ask: () => Promise<T>,
  passes: (error: unknown) => boolean,
  withinMs = settlesInMs,
): Promise<T> {
  const endsAtMs = performance.now() + withinMs;
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (!passes(error) || performance.now() > endsAtMs) throw error;
      await setTimeout(askAgainAfterMs);
    }
  }
}
