import type { Destination, PendingCallback } from './destination';

/** Replays do not count: they were delivered or given up before. */
export function undeliveredSince(pending: readonly PendingCallback[]): Date | undefined {
  const times = pending.filter(({ replay }) => replay === undefined).map(({ at }) => Date.parse(at));
  return times.length > 0 ? new Date(Math.min(...times)) : undefined;
}

export function undeliveredChange(pending: readonly PendingCallback[]): {
  readonly $set: Pick<Destination, 'undeliveredSince'>;
  readonly $unset: { readonly undeliveredSince?: 1 };
} {
  const since = undeliveredSince(pending);
  return since ? { $set: { undeliveredSince: since }, $unset: {} } : { $set: {}, $unset: { undeliveredSince: 1 } };
}
