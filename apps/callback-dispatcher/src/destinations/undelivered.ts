import type { Destination, PendingCallback } from './destination';

/** Replays do not count: they were delivered or given up before. */
export function undeliveredSince(pending: readonly PendingCallback[]): Date | undefined {
  const times = pending.filter(({ replay }) => replay === undefined).map(({ at }) => Date.parse(at));
  return times.length > 0 ? new Date(Math.min(...times)) : undefined;
}

/** `isServed`: nothing can be sent in a version that is not served, so its callbacks are not late. */
export function undeliveredChange(
  pending: readonly PendingCallback[],
  isServed = true,
): {
  readonly $set: Pick<Destination, 'undeliveredSince'>;
  readonly $unset: { readonly undeliveredSince?: 1 };
} {
  const since = isServed ? undeliveredSince(pending) : undefined;
  return since ? { $set: { undeliveredSince: since }, $unset: {} } : { $set: {}, $unset: { undeliveredSince: 1 } };
}
