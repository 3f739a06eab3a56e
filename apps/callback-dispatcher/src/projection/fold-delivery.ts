import {
  messageId,
  type CallbackAttempted,
  type CallbackGivenUp,
  type CallbackQueued,
  type DeliveryEvent,
  type LaneSettled,
  type ReplayCallback,
} from '@opendsr-service/contracts';
import { REPLAYS_KNOWN, type GivenUpReason, type Lane } from '../lanes/lane';
import { callbackQueued, deliveryId } from '../lanes/lane-events';
import { changeOf } from '../lanes/status-changes';
import { gone, takenOff, type FoldedLane, type Telling } from './folded-lane';

/** So many events about a lane are known again: more than its tries are until it is given up, several times over. */
const HEARD = 500;

/** What is left of a lane whose first callback has ended. */
const FREE = { tries: undefined, failingSince: undefined, unservedSince: undefined, dueAt: undefined } as const;

/** Id of the event that tells that a replay was queued. */
const queuedId = ({ _id }: Pick<Lane, '_id'>, v: number, command: string): string =>
  messageId(_id, v, 'queued', command);

/** What an event of the dispatcher's own says of a lane; the same lane where it was heard before. */
export function foldDelivery(lane: FoldedLane, event: DeliveryEvent): FoldedLane {
  if (lane.heard.includes(event.id)) return lane;
  const next = { ...lane, heard: [...lane.heard, event.id].slice(-HEARD) };
  switch (event.type) {
    case 'LaneSettled':
      return settled(next, event);
    case 'CallbackQueued':
      return queued(told(next, event, event.replay ? {} : { queued: true }), event);
    case 'CallbackAttempted':
      return event.attempt <= (lane.attempts?.[event.version] ?? 0) ? lane : attempted(told(next, event, {}), event);
    case 'CallbackGivenUp':
      return givenUp(told(next, event, { givenUp: true }), event);
  }
}

/** A command to replay that no event answers was not obeyed yet, or the log did not hear of it: the controller was promised that it is. */
export function foldReplay(lane: FoldedLane, command: ReplayCallback): FoldedLane {
  const { id, version: v, delivery } = command;
  const { replayed: before = [] } = lane;
  if (delivery !== deliveryId(lane, v) || before.includes(id)) return lane;
  const replayed = [...before, id].slice(-REPLAYS_KNOWN);
  const known = queuedId(lane, v, id);
  const pending = lane.pending.map((one) => (one.replay === known ? { ...one, replay: id } : one));
  return lane.heard.includes(known)
    ? { ...lane, replayed, pending }
    : (promised({ ...lane, replayed }, command) ?? lane);
}

/** Undefined: there is no such callback, or it waits or was tried since, so that the command was obeyed or needed nothing. */
function promised(lane: FoldedLane, { id, version: v, at }: ReplayCallback): FoldedLane | undefined {
  const change = lane.past?.find((past) => past.v === v);
  const lastAt = lane.tellings[v]?.lastAt ?? '';
  if (!change || lastAt >= at || lane.pending.some((one) => one.v === v)) return undefined;
  const callback = { ...changeOf(change), replay: id };
  const outbox = [...(lane.outbox ?? []), callbackQueued(lane, callback, { at, dueAt: lane.asOf })];
  return { ...lane, pending: [...lane.pending, callback], outbox, dueAt: lane.asOf };
}

function told(
  lane: FoldedLane,
  { version, at }: { readonly version: number; readonly at: string },
  more: Partial<Telling>,
): FoldedLane {
  const before = lane.tellings[version];
  const lastAt = before && before.lastAt > at ? before.lastAt : at;
  return { ...lane, tellings: { ...lane.tellings, [version]: { ...before, ...more, lastAt } } };
}

/** Only a callback that ended can be replayed. Which command it was is known where that is still in the log. */
function queued(lane: FoldedLane, { id, version: v, replay, dueAt }: CallbackQueued): FoldedLane {
  if (!replay) return { ...lane, dueAt: lane.dueAt ?? new Date(dueAt) };
  const change = lane.past?.find((past) => past.v === v);
  if (!change || lane.pending.some((one) => one.v === v)) return lane;
  return { ...lane, pending: [...lane.pending, { ...changeOf(change), replay: id }], dueAt: new Date(dueAt) };
}

function attempted(lane: FoldedLane, event: CallbackAttempted): FoldedLane {
  const { version: v, attempt, outcome, at } = event;
  const counted = { ...endedBefore(lane, v, at), attempts: { ...lane.attempts, [v]: attempt } };
  if (outcome === 'delivered') return ended(counted, event, outcome);
  return outcome === 'gone' ? { ...gone(ended(counted, event, outcome), at), ...FREE } : failed(counted, event);
}

/** Callbacks go out in their order, so of those before this one only the log has forgotten what became of them. */
function endedBefore(lane: FoldedLane, v: number, at: string): FoldedLane {
  const before = lane.pending.filter((one) => one.v < v && one.replay === undefined);
  return before.reduce((left, one) => takenOff(left, one.v, { at, as: 'delivered' }), lane);
}

function ended(
  lane: FoldedLane,
  { version: v, at }: CallbackAttempted | CallbackGivenUp,
  as: 'delivered' | GivenUpReason,
): FoldedLane {
  const isFirst = lane.pending.find((one) => one.v === v)?.replay === undefined;
  const left = { ...takenOff(lane, v, { at, as }), ...FREE };
  // How a replay ended changes nothing about how the callback did.
  return isFirst && !lane.tellings[v]?.ended ? told(left, { version: v, at }, { ended: as }) : left;
}

/** Without a next time it waits for its version to be served; a last try is followed by the word that the callback is given up. */
function failed(lane: FoldedLane, { at, outcome, nextAt, durationMs = 0 }: CallbackAttempted): FoldedLane {
  if (nextAt === undefined) return outcome === 'postponed' ? { ...lane, unservedSince: new Date(at) } : lane;
  const failingSince = lane.failingSince ?? new Date(Date.parse(at) + durationMs);
  return { ...lane, tries: (lane.tries ?? 0) + 1, failingSince, unservedSince: undefined, dueAt: new Date(nextAt) };
}

function givenUp(lane: FoldedLane, event: CallbackGivenUp): FoldedLane {
  const { version: v, at, reason } = event;
  const left = ended(endedBefore(lane, v, at), event, reason);
  return reason === 'gone' ? { ...left, goneAt: lane.goneAt ?? new Date(at), outcome: left.outcome ?? 'gone' } : left;
}

/** What was not replayed and still waits has ended before, where the log has forgotten how. */
function settled(lane: FoldedLane, { outcome, at }: LaneSettled): FoldedLane {
  const waiting = lane.pending.filter(({ replay }) => replay === undefined);
  const left = waiting.reduce((rest, { v }) => takenOff(rest, v, { at, as: outcome }), lane);
  return { ...left, outcome, isToldSettled: true, ...(outcome === 'gone' && { goneAt: lane.goneAt ?? new Date(at) }) };
}
