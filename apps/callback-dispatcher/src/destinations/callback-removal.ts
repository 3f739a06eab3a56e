import type { DeliveryEvent, DestinationSettled } from '@opendsr-service/contracts';
import type { ClaimedDestination, Destination, GivenUpReason } from './destination';
import { callbackAttempted, callbackGivenUp, destinationSettled, type Attempt } from './destination-events';
import { endOf } from './status-changes';

export interface RemovalOptions {
  /** How many callbacks end, counted from the first. */
  readonly count: number;
  readonly at: Date;
  /** The attempt that ends them. */
  readonly tried: Attempt | undefined;
  /** Where they are given up; otherwise they were delivered. */
  readonly reason?: GivenUpReason;
  /** Settles the destination whatever the status of the callbacks. */
  readonly settles?: boolean;
}

/** The fields of the first callback's attempt. */
export const attemptOf = (
  destination: ClaimedDestination,
  tried: Attempt | undefined,
): { readonly events: readonly DeliveryEvent[]; readonly counts: Readonly<Record<string, number>> } => {
  const [first] = destination.pending;
  if (!tried || !first) return { events: [], counts: {} };
  return { events: [callbackAttempted(destination, first, tried)], counts: { [`attempts.${first.v}`]: tried.attempt } };
};

/**
 * The write that ends the first `count` callbacks, delivered or given up. The caller adds what becomes of the claim:
 * `$unset` of the fields of retries, of the token, and of the due time where nothing is left.
 */
export function removalOf(
  destination: ClaimedDestination,
  { count, at, tried, reason, settles }: RemovalOptions,
  outboxBy: string,
) {
  const ending = destination.pending.slice(0, count);
  const ends = ending.map((callback) => endOf(callback, reason ?? 'delivered', at));
  const attempt = attemptOf(destination, tried);
  const outcome = outcomeOf(destination, ends, settles ? reason : undefined);
  const events: DeliveryEvent[] = [
    ...attempt.events,
    ...(reason ? ending.map((callback) => callbackGivenUp(destination, callback, { reason, at })) : []),
    ...(outcome ? [destinationSettled(destination, outcome, at)] : []),
  ];
  return {
    $pull: { pending: { v: { $in: ending.map(({ v }) => v) } } },
    $push: { past: { $each: ends.flatMap(({ past }) => past ?? []) }, outbox: { $each: events } },
    $set: { ...attempt.counts, ...(outcome && { outcome }), outboxAt: at, outboxBy },
    $min: { outboxSince: at },
  };
}

/** How these ends settle a destination; undefined: they do not, or it is settled. */
const outcomeOf = (
  { outcome }: Pick<Destination, 'outcome'>,
  ends: readonly ReturnType<typeof endOf>[],
  settled: GivenUpReason | undefined,
): DestinationSettled['outcome'] | undefined =>
  outcome ? undefined : (settled ?? ends.find((end) => end.outcome)?.outcome);
