import { requestEvents, requestKey, TOPICS, type LeafKind, type RequestEvent } from '@opendsr-service/contracts';
import type { EventLog } from '@opendsr-service/messaging';
import { decodeValid } from '@opendsr-service/replay';
import { kindOf } from '../domain/leaves-of';
import { eventDigest } from '../domain/logged-event';

interface ProvedEvent {
  readonly kind: LeafKind;
  /** Names the event for the operator; no personal data. */
  readonly of: string;
  readonly digest: string;
  readonly at: Date;
}

const TYPES: readonly RequestEvent['type'][] = ['ParticipantReported', 'DeadlineExtended'];

/** The events on the log of which the transparency log holds a leaf each: waivers and extensions. */
export async function provedEventsOf(events: Pick<EventLog, 'read'>): Promise<readonly ProvedEvent[]> {
  const proved: ProvedEvent[] = [];
  await events.read(TOPICS.requestEvents.name, {}, (records) => {
    const candidates = records.filter((record) => requestEvents.isOfType(record, TYPES));
    for (const event of decodeValid(requestEvents, candidates)) {
      const kind = kindOf(event);
      if (kind === undefined) continue;
      const of = `${requestKey(event.ws, event.srid)} version ${event.version}`;
      proved.push({ kind, of, digest: eventDigest(event), at: new Date(event.at) });
    }
    return Promise.resolve();
  });
  return proved;
}
