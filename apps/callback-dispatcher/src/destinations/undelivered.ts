import type { Destination, PendingCallback } from './destination';

/** When the status changed of which a receiver has not been told the longest. What is sent once more does not count: it was told, or given up. */
export function undeliveredSince(pending: readonly PendingCallback[]): Date | undefined {
  const times = pending.filter(({ replay }) => replay === undefined).map(({ at }) => Date.parse(at));
  return times.length > 0 ? new Date(Math.min(...times)) : undefined;
}

/** What a write sets and takes away that leaves these callbacks on a destination. */
export function undeliveredChange(pending: readonly PendingCallback[]): {
  readonly $set: Pick<Destination, 'undeliveredSince'>;
  readonly $unset: { readonly undeliveredSince?: 1 };
} {
  const since = undeliveredSince(pending);
  return since ? { $set: { undeliveredSince: since }, $unset: {} } : { $set: {}, $unset: { undeliveredSince: 1 } };
}
