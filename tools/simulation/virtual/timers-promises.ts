import { inPlaceOf } from '../engine/takeover';

/** `node:timers/promises` as the services of a simulation get it: over virtual time. */
export function setTimeout<T>(waitMs: number, value?: T, { signal }: { signal?: AbortSignal } = {}): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = inPlaceOf.time.set(() => resolve(value as T), waitMs);
    const stop = (): void => {
      inPlaceOf.time.clear(timer);
      reject(signal?.reason as Error);
    };
    if (signal?.aborted) stop();
    else signal?.addEventListener('abort', stop, { once: true });
  });
}

export const setImmediate = (): Promise<void> => new Promise((resolve) => globalThis.setImmediate(resolve));
