import type { DeliveryEvent } from '@opendsr-service/contracts';
import {
  MAX_REPLAYS_REMEMBERED,
  type GivenUpReason,
  type Destination,
  type PastCallback,
  type StatusChange,
} from '../destinations/destination';
import { callbackGivenUp, callbackQueued, destinationSettled } from '../destinations/destination-events';
import { changeOf } from '../destinations/status-changes';
import { undeliveredChange } from '../destinations/undelivered';
import { foldDelivery } from './fold-delivery';
import { defined, gone, isForgotten, removeFirst, type FoldedDestination } from './folded-destination';

/** Those of this release. */
const FIELDS: Readonly<Record<keyof Destination, true>> = {
  ...({ _id: true, ws: true, srid: true, sentId: true, destination: true, destinationCount: true } as const),
  ...({ v: true, pending: true, past: true, attempts: true, replayed: true, dueAt: true, token: true } as const),
  ...({ undeliveredSince: true, tries: true, failingSince: true, unservedSince: true, host: true } as const),
  ...({ postponed: true, goneAt: true, outcome: true, outbox: true, outboxAt: true, outboxBy: true } as const),
  ...({ outboxSince: true, controllerId: true, apiVersion: true, type: true, expectedAt: true } as const),
  ...({ extended: true, kid: true, url: true } as const),
};

/** What a later release has written. */
const laterFields = (present: Destination): object =>
  Object.fromEntries(Object.entries(present).filter(([name]) => !Object.hasOwn(FIELDS, name)));

/** Merges stored and folded destination: keeps what the log does not know yet, or any more; drops claims. */
export function destinationFromLog(present: Destination | null, folded: FoldedDestination): Destination {
  if (!present) return written(folded, []);
  const unpublished = (present.outbox ?? []).filter(({ id }) => !folded.foldedIds.includes(id));
  const known = withRemembered(unpublished.reduce(foldDelivery, folded), present);
  return { ...laterFields(present), ...written(known, unpublished) };
}

/** Compared as they are; null where a destination has none. */
const PLAIN_FACTS = [
  ...(['destinationCount', 'controllerId', 'apiVersion', 'type'] as const),
  ...(['expectedAt', 'extended', 'kid', 'url', 'sentId'] as const),
];

/** The compared facts; times and outbox excluded. */
export function destinationFacts(destination: Destination): Readonly<Record<string, unknown>> {
  const {
    v,
    pending,
    past = [],
    attempts = {},
    outcome = null,
    goneAt,
  } = 'foldedIds' in destination ? destinationFromLog(null, destination as FoldedDestination) : destination;
  return {
    ...{ v, attempts, outcome, isGone: goneAt !== undefined },
    ...Object.fromEntries(PLAIN_FACTS.map((name) => [name, destination[name] ?? null])),
    pending: pending
      .map((callback) => ({ ...changeOf(callback), isReplay: callback.replay !== undefined }))
      .sort(byVersion),
    past: past.map((callback) => ({ ...changeOf(callback), reason: callback.reason ?? null })).sort(byVersion),
  };
}

const byVersion = (a: Pick<StatusChange, 'v'>, b: Pick<StatusChange, 'v'>): number => a.v - b.v;
const isFirst = ({ replay }: { readonly replay?: string }): boolean => replay === undefined;

function withRemembered(destination: FoldedDestination, present: Destination): FoldedDestination {
  const { goneAt = present.goneAt } = destination;
  const known: FoldedDestination = {
    ...withForgotten(withEnded(destination, present), present),
    ...defined({
      host: destination.host ?? present.host,
      goneAt,
      attempts: mostOf(present.attempts, destination.attempts),
      replayed: lastOf(present.replayed, destination.replayed),
    }),
    ...defined({ outcome: destination.isSettledInLog ? destination.outcome : present.outcome }),
  };
  return goneAt && known.pending.some(isFirst) ? gone(known, goneAt.toISOString()) : known;
}

function lastOf(some: readonly string[] = [], others: readonly string[] = []): readonly string[] | undefined {
  const all = [...new Set([...some, ...others])].slice(-MAX_REPLAYS_REMEMBERED);
  return all.length > 0 ? all : undefined;
}

/** A stored end stands, even if the log has lost it. */
function withEnded(destination: FoldedDestination, { past = [] }: Destination): FoldedDestination {
  const waits = past.filter(({ v }) => destination.pending.some((one) => one.v === v && isFirst(one)));
  return waits.reduce(
    (left, { v, reason, endedAt }) => removeFirst(left, v, { at: endedAt.toISOString(), as: reason ?? 'delivered' }),
    destination,
  );
}

/** Where the event log no longer holds a callback the database decides: it may still wait for its version. */
function withForgotten(destination: FoldedDestination, present: Destination): FoldedDestination {
  const forgotten = (destination.past ?? []).filter(
    (change) => !destination.callbacks[change.v] && isForgotten(change, destination.asOf),
  );
  return forgotten.reduce((left, change) => {
    const waits = present.pending.find((one) => one.v === change.v && isFirst(one));
    const ended = waits ? undefined : (present.past?.find(({ v }) => v === change.v) ?? change);
    const past = [...(left.past ?? []).filter(({ v }) => v !== change.v), ...(ended ? [ended] : [])].sort(byVersion);
    return { ...left, past, ...(waits && { pending: [waits, ...left.pending], outcome: present.outcome }) };
  }, destination);
}

type Attempts = NonNullable<Destination['attempts']>;

function mostOf(some: Attempts = {}, others: Attempts = {}): Attempts | undefined {
  const versions = Object.keys({ ...some, ...others });
  return versions.length === 0
    ? undefined
    : Object.fromEntries(versions.map((v) => [v, Math.max(some[v] ?? 0, others[v] ?? 0)]));
}

function written(folded: FoldedDestination, unpublished: readonly DeliveryEvent[]): Destination {
  const { asOf, outbox = [], dueAt = asOf } = folded;
  const events = new Map([...unpublished, ...outbox, ...unpublishedOf(folded)].map((event) => [event.id, event]));
  const ofFold: Record<keyof Omit<FoldedDestination, keyof Destination> | 'outbox' | 'dueAt' | 'outboxAt', undefined> =
    {
      foldedIds: undefined,
      callbacks: undefined,
      isSettledInLog: undefined,
      asOf: undefined,
      outbox: undefined,
      dueAt: undefined,
      outboxAt: undefined,
    };
  return {
    ...(defined({ ...folded, ...ofFold }) as Destination),
    ...(folded.pending.length > 0 && { dueAt, ...undeliveredChange(folded.pending).$set }),
    ...(events.size > 0 && { outbox: [...events.values()], outboxAt: asOf, outboxSince: asOf }),
  };
}

type GivenUp = PastCallback & { readonly reason: GivenUpReason };

/** Events that the log implies but lacks: the ledger and the request's key depend on them. */
function unpublishedOf(destination: FoldedDestination): DeliveryEvent[] {
  const { pending, past = [], outcome, callbacks, asOf } = destination;
  const isOwed = (callback: PastCallback): callback is GivenUp =>
    callback.reason !== undefined && !callbacks[callback.v]?.givenUp && !isForgotten(callback, asOf);
  const givenUp = past.filter(isOwed);
  const queued = [...givenUp.map(changeOf), ...pending.filter(isFirst)].filter(({ v }) => !callbacks[v]?.queued);
  return [
    ...queued.map((callback) =>
      callbackQueued(destination, callback, { at: callback.at, dueAt: destination.dueAt ?? asOf }),
    ),
    ...givenUp.map(({ reason, ...callback }) => callbackGivenUp(destination, callback, { reason, at: asOf })),
    ...(outcome && !destination.isSettledInLog ? [destinationSettled(destination, outcome, asOf)] : []),
  ];
}
