import { requestKey, TOPICS, type LeafKind, type RequestEvent } from '@opendsr-service/contracts';
import type { EventLog } from '@opendsr-service/messaging';
import { decodeValid } from '@opendsr-service/replay';
import { kindOf } from '../domain/leaves-of';
import { loggedEvents } from './aggregate-from-log';

/** An event of which the transparency log holds a leaf: a waiver or an extension. */
interface ProvedEvent {
  readonly kind: LeafKind;
  /** Names the event for the operator; no personal data. */
  readonly of: string;
  readonly digest: string;
  readonly at: Date;
  /** Of an extension. */
  readonly leafDueAt?: Date;
}

/** What the log holds of one request. */
export interface EventHistory {
  readonly version: number;
  /** Of the last event. */
  readonly digest: string;
  /** An event is missing in between, or does not hold the digest of the one before it. */
  readonly isBroken: boolean;
  /** The log still holds its first event. */
  readonly isWhole: boolean;
  readonly extendedUntil?: Date;
  /** The event that ended the request. */
  readonly ending?: EndingEvent;
}

export interface EndingEvent {
  readonly digest: string;
  readonly at: Date;
  readonly outcome: 'completed' | 'cancelled';
}

const OUTCOMES: Readonly<Partial<Record<RequestEvent['type'], EndingEvent['outcome']>>> = {
  RequestCompleted: 'completed',
  RequestCancelled: 'cancelled',
};

interface EventHistories {
  /** By the key of the request. */
  readonly requests: ReadonlyMap<string, EventHistory>;
  readonly proved: readonly ProvedEvent[];
}

/**
 * Reads all events of requests from the log, each once, and checks that each holds the digest of the one before it
 * (decision 27).
 */
export async function readEventHistories(events: Pick<EventLog, 'read'>): Promise<EventHistories> {
  const requests = new Map<string, EventHistory>();
  const proved: ProvedEvent[] = [];
  await events.read(TOPICS.requestEvents.name, {}, (records) => {
    for (const { event, digest } of decodeValid(loggedEvents, records)) {
      const of = requestKey(event.ws, event.srid);
      const before = requests.get(of);
      if (before && event.version <= before.version) continue;
      requests.set(of, continued(before, event, digest));
      const kind = kindOf(event);
      if (kind !== undefined) proved.push(provedEvent(kind, event, digest));
    }
    return Promise.resolve();
  });
  return { requests, proved };
}

function continued(before: EventHistory | undefined, event: RequestEvent, digest: string): EventHistory {
  if (!before) return { ...headOf(event, digest), isBroken: false, isWhole: event.version === 1 };
  return { ...before, ...headOf(event, digest), isBroken: before.isBroken || !continues(before, event) };
}

/** An event without `previous` is of a later type, of which only the head was read. */
function continues({ version, digest }: EventHistory, event: RequestEvent): boolean {
  const previous = 'previous' in event ? event.previous : undefined;
  return event.version === version + 1 && (previous ?? digest) === digest;
}

function headOf(event: RequestEvent, digest: string) {
  const outcome = OUTCOMES[event.type];
  return {
    version: event.version,
    digest,
    ...(event.type === 'DeadlineExtended' && { extendedUntil: new Date(event.extendedUntil) }),
    ...(outcome && { ending: { digest, at: new Date(event.at), outcome } }),
  };
}

const provedEvent = (kind: LeafKind, event: RequestEvent, digest: string): ProvedEvent => ({
  kind,
  of: `${requestKey(event.ws, event.srid)} version ${event.version}`,
  digest,
  at: new Date(event.at),
  ...(event.type === 'DeadlineExtended' && { leafDueAt: new Date(event.extendedUntil) }),
});
