import {
  bytesDigest,
  requestEvents,
  requestKey,
  REQUEST_EVENT_SCHEMAS,
  type RequestEvent,
} from '@opendsr-service/contracts';
import type { LogRecord } from '@opendsr-service/messaging';
import type { Facts, FoldContext } from '@opendsr-service/replay';
import { stateOf, type AggregateDocument } from '../aggregates/aggregate.document';
import { fold } from '../domain/decide';
import { evolve } from '../domain/evolve';
import { initialState, type RequestState } from '../domain/state';

interface FoldedAggregate extends AggregateDocument {
  /** The log no longer holds its first event. */
  readonly isHeadless?: true;
}

const documentOf = ({ ws, srid }: RequestEvent, { version: v, ...state }: RequestState): FoldedAggregate => ({
  _id: requestKey(ws, srid),
  ws,
  v,
  ...state,
  outbox: [],
});

/** An event with the digest of its bytes: an event of a later version has fields that its decoded form lacks. */
interface LoggedEvent extends Pick<RequestEvent, 'ws' | 'srid'> {
  readonly event: RequestEvent;
  readonly digest: string;
}

export const loggedEvents = {
  decode: (record: LogRecord): LoggedEvent => {
    const event = requestEvents.decode(record);
    return { ws: event.ws, srid: event.srid, event, digest: bytesDigest(record.value) };
  },
};

/** Ignores repeats, and events whose predecessor is missing from the log. */
export function foldEvent(before: FoldedAggregate | undefined, logged: LoggedEvent): FoldedAggregate | undefined {
  const { event } = logged;
  if (!before)
    return { ...documentOf(event, after(initialState, logged)), ...(event.version > 1 && { isHeadless: true }) };
  if (before.isHeadless || event.version !== before.v + 1) return before;
  return documentOf(event, after(stateOf(before), logged));
}

/** An event type of a later version of the service changes the counters only. */
const after = (state: RequestState, { event, digest: history }: LoggedEvent): RequestState =>
  Object.hasOwn(REQUEST_EVENT_SCHEMAS, event.type)
    ? { ...evolve(state, event), history }
    : { ...state, version: event.version, commandSeq: event.commandSeq, history };

/** The events of the outbox that continue the log without a gap. */
function unreadEvents({ outbox }: AggregateDocument, v: number): readonly RequestEvent[] {
  const later = outbox.filter(({ version }) => version > v);
  return later.every(({ version }, n) => version === v + 1 + n) ? later : [];
}

/** The state of the log, continued by the events that are still in the outbox. */
export function mergedAggregate(
  present: AggregateDocument | null,
  folded: FoldedAggregate,
  { now }: Pick<FoldContext, 'now'>,
): AggregateDocument {
  if (!present) return folded;
  const { outboxAt = now, outboxSince = outboxAt, ...kept } = present;
  const outbox = unreadEvents(present, folded.v);
  const { version: v, ...state } = fold(stateOf(folded), outbox);
  return { ...kept, v, ...state, outbox, ...(outbox.length > 0 && { outboxAt, outboxSince }) };
}

export const isAggregateBeyond = (present: AggregateDocument, folded: AggregateDocument): boolean =>
  present.v > folded.v + unreadEvents(present, folded.v).length;

export const isUnknownToLog = (present: AggregateDocument): boolean =>
  present.v > 0 && unreadEvents(present, 0).length === present.v;

export function aggregateFacts(document: FoldedAggregate): Facts | undefined {
  if (document.isHeadless) return undefined;
  return {
    ...stateOf(document),
    outbox: document.outbox.map(({ version }) => version),
    outboxAt: document.outboxAt !== undefined,
  };
}
