import {
  messageId,
  type CallbackAttempted,
  type CallbackGivenUp,
  type CallbackQueued,
  type DeliveryEvent,
  type DestinationSettled,
  type ReplayCallback,
} from '@opendsr-service/contracts';
import { MAX_REPLAYS_REMEMBERED, type GivenUpReason, type Destination } from '../destinations/destination';
import { callbackQueued, deliveryId } from '../destinations/destination-events';
import { changeOf } from '../destinations/status-changes';
import { gone, removeFirst, type FoldedDestination, type CallbackHistory } from './folded-destination';

/** Event ids that are remembered: several times the attempts until a destination is given up. */
const FOLDED_IDS = 500;

const FREE = { tries: undefined, failingSince: undefined, unservedSince: undefined, dueAt: undefined } as const;

const queuedId = ({ _id }: Pick<Destination, '_id'>, v: number, command: string): string =>
  messageId(_id, v, 'queued', command);

export function foldDelivery(destination: FoldedDestination, event: DeliveryEvent): FoldedDestination {
  if (destination.foldedIds.includes(event.id)) return destination;
  const next = { ...destination, foldedIds: [...destination.foldedIds, event.id].slice(-FOLDED_IDS) };
  switch (event.type) {
    case 'DestinationSettled':
      return settled(next, event);
    case 'CallbackQueued':
      return queued(published(next, event, event.replay ? {} : { queued: true }), event);
    case 'CallbackAttempted':
      return event.attempt <= (destination.attempts?.[event.version] ?? 0)
        ? destination
        : attempted(published(next, event, {}), event);
    case 'CallbackGivenUp':
      return givenUp(published(next, event, { givenUp: true }), event);
  }
}

/** Applies a replay command. Without an answering event it is queued: the controller was promised it. */
export function foldReplay(destination: FoldedDestination, command: ReplayCallback): FoldedDestination {
  const { id, version: v, delivery } = command;
  const { replayed: before = [] } = destination;
  if (delivery !== deliveryId(destination, v) || before.includes(id)) return destination;
  const replayed = [...before, id].slice(-MAX_REPLAYS_REMEMBERED);
  const known = queuedId(destination, v, id);
  const pending = destination.pending.map((one) => (one.replay === known ? { ...one, replay: id } : one));
  return destination.foldedIds.includes(known)
    ? { ...destination, replayed, pending }
    : (promised({ ...destination, replayed }, command) ?? destination);
}

/** Undefined: the callback is unknown, pending, or was tried since the command. */
function promised(
  destination: FoldedDestination,
  { id, version: v, at }: ReplayCallback,
): FoldedDestination | undefined {
  const change = destination.past?.find((past) => past.v === v);
  const lastAt = destination.callbacks[v]?.lastAt ?? '';
  if (!change || lastAt >= at || destination.pending.some((one) => one.v === v)) return undefined;
  const callback = { ...changeOf(change), replay: id };
  const outbox = [
    ...(destination.outbox ?? []),
    callbackQueued(destination, callback, { at, dueAt: destination.asOf }),
  ];
  return { ...destination, pending: [...destination.pending, callback], outbox, dueAt: destination.asOf };
}

function published(
  destination: FoldedDestination,
  { version, at }: { readonly version: number; readonly at: string },
  more: Partial<CallbackHistory>,
): FoldedDestination {
  const before = destination.callbacks[version];
  const lastAt = before && before.lastAt > at ? before.lastAt : at;
  return { ...destination, callbacks: { ...destination.callbacks, [version]: { ...before, ...more, lastAt } } };
}

/** Only an ended callback can be replayed. Its command is known while the log keeps it. */
function queued(destination: FoldedDestination, { id, version: v, replay, dueAt }: CallbackQueued): FoldedDestination {
  if (!replay) return { ...destination, dueAt: destination.dueAt ?? new Date(dueAt) };
  const change = destination.past?.find((past) => past.v === v);
  if (!change || destination.pending.some((one) => one.v === v)) return destination;
  return {
    ...destination,
    pending: [...destination.pending, { ...changeOf(change), replay: id }],
    dueAt: new Date(dueAt),
  };
}

function attempted(destination: FoldedDestination, event: CallbackAttempted): FoldedDestination {
  const { version: v, attempt, outcome, at } = event;
  const counted = { ...endedBefore(destination, v, at), attempts: { ...destination.attempts, [v]: attempt } };
  if (outcome === 'delivered') return ended(counted, event, outcome);
  return outcome === 'gone' ? { ...gone(ended(counted, event, outcome), at), ...FREE } : failed(counted, event);
}

/** Callbacks are sent in order: earlier ones have ended, even where the log has lost it. */
function endedBefore(destination: FoldedDestination, v: number, at: string): FoldedDestination {
  const before = destination.pending.filter((one) => one.v < v && one.replay === undefined);
  return before.reduce((left, one) => removeFirst(left, one.v, { at, as: 'delivered' }), destination);
}

function ended(
  destination: FoldedDestination,
  { version: v, at }: CallbackAttempted | CallbackGivenUp,
  as: 'delivered' | GivenUpReason,
): FoldedDestination {
  const isFirst = destination.pending.find((one) => one.v === v)?.replay === undefined;
  const left = { ...removeFirst(destination, v, { at, as }), ...FREE };
  return isFirst && !destination.callbacks[v]?.ended ? published(left, { version: v, at }, { ended: as }) : left;
}

/** Without `nextAt` the version is not served, or CallbackGivenUp follows. */
function failed(
  destination: FoldedDestination,
  { at, outcome, nextAt, durationMs = 0 }: CallbackAttempted,
): FoldedDestination {
  if (nextAt === undefined)
    return outcome === 'postponed'
      ? { ...destination, tries: undefined, failingSince: undefined, unservedSince: new Date(at) }
      : destination;
  const failingSince = destination.failingSince ?? new Date(Date.parse(at) + durationMs);
  return {
    ...destination,
    tries: (destination.tries ?? 0) + 1,
    failingSince,
    unservedSince: undefined,
    dueAt: new Date(nextAt),
  };
}

function givenUp(destination: FoldedDestination, event: CallbackGivenUp): FoldedDestination {
  const { version: v, at, reason } = event;
  const left = ended(endedBefore(destination, v, at), event, reason);
  return reason === 'gone'
    ? { ...left, goneAt: destination.goneAt ?? new Date(at), outcome: left.outcome ?? 'gone' }
    : left;
}

/** The log has lost how the pending callbacks ended. */
function settled(destination: FoldedDestination, { outcome, at }: DestinationSettled): FoldedDestination {
  const waiting = destination.pending.filter(({ replay }) => replay === undefined);
  const left = waiting.reduce((rest, { v }) => removeFirst(rest, v, { at, as: outcome }), destination);
  return {
    ...left,
    outcome,
    isSettledInLog: true,
    ...(outcome === 'gone' && { goneAt: destination.goneAt ?? new Date(at) }),
  };
}
