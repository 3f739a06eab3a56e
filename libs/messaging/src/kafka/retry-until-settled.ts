import { setTimeout } from 'node:timers/promises';

/** How long brokers may take to learn the controller's decision. */
const settlesInMs = 30_000;
const askAgainAfterMs = 100;

/** Retries transient errors. Throws the last error when the time is over. */
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
