import type { DeliveryEvent, DestinationSettled } from '@opendsr-service/contracts';
import type { ClaimedDestination, Destination, GivenUpReason } from './destination';
import { callbackAttempted, callbackGivenUp, destinationSettled, type Attempt } from './destination-events';
import { endOf } from './status-changes';

export interface RemovalOptions {
  readonly count: number;
  readonly at: Date;
  readonly tried: Attempt | undefined;
  /** Where they are given up; otherwise they were delivered. */
  readonly reason?: GivenUpReason;
  readonly settles?: boolean;
}

export const attemptOf = (
  destination: ClaimedDestination,
  tried: Attempt | undefined,
): { readonly events: readonly DeliveryEvent[]; readonly counts: Readonly<Record<string, number>> } => {
  const [first] = destination.pending;
  if (!tried || !first) return { events: [], counts: {} };
  return { events: [callbackAttempted(destination, first, tried)], counts: { [`attempts.${first.v}`]: tried.attempt } };
};

/** The write that ends the first `count` callbacks. The caller adds the `$unset` of claim and retry fields. */
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

const outcomeOf = (
  { outcome }: Pick<Destination, 'outcome'>,
  ends: readonly ReturnType<typeof endOf>[],
  settled: GivenUpReason | undefined,
): DestinationSettled['outcome'] | undefined =>
  outcome ? undefined : (settled ?? ends.find((end) => end.outcome)?.outcome);
