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

/** So many events about a destination are known again: more than its tries are until it is given up, several times over. */
const FOLDED_IDS = 500;

/** What is left of a destination whose first callback has ended. */
const FREE = { tries: undefined, failingSince: undefined, unservedSince: undefined, dueAt: undefined } as const;

/** Id of the event that tells that a replay was queued. */
const queuedId = ({ _id }: Pick<Destination, '_id'>, v: number, command: string): string =>
  messageId(_id, v, 'queued', command);

/** What an event of the dispatcher's own says of a destination; the same destination where it was heard before. */
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

/** A command to replay that no event answers was not obeyed yet, or the log did not hear of it: the controller was promised that it is. */
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

/** Undefined: there is no such callback, or it waits or was tried since, so that the command was obeyed or needed nothing. */
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

/** Only a callback that ended can be replayed. Which command it was is known where that is still in the log. */
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

/** Callbacks go out in their order, so of those before this one only the log has forgotten what became of them. */
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
  // How a replay ended changes nothing about how the callback did.
  return isFirst && !destination.callbacks[v]?.ended ? published(left, { version: v, at }, { ended: as }) : left;
}

/** Without a next time it waits for its version to be served; a last try is followed by the word that the callback is given up. */
function failed(
  destination: FoldedDestination,
  { at, outcome, nextAt, durationMs = 0 }: CallbackAttempted,
): FoldedDestination {
  if (nextAt === undefined)
    return outcome === 'postponed' ? { ...destination, unservedSince: new Date(at) } : destination;
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

/** What was not replayed and still waits has ended before, where the log has forgotten how. */
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
