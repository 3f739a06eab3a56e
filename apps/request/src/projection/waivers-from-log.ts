import { requestEvents, requestKey, TOPICS } from '@opendsr-service/contracts';
import type { EventLog } from '@opendsr-service/messaging';
import { decodeValid } from '@opendsr-service/replay';
import { eventDigest } from '../domain/leaves-of';

interface Waiver {
  /** Names the event for the operator; no personal data. */
  readonly of: string;
  readonly digest: string;
  readonly at: Date;
}

/** The waivers that the event log holds. */
export async function waiversOf(events: Pick<EventLog, 'read'>): Promise<readonly Waiver[]> {
  const waivers: Waiver[] = [];
  await events.read(TOPICS.requestEvents.name, {}, (records) => {
    const reports = records.filter((record) => requestEvents.isOfType(record, ['ParticipantReported']));
    for (const event of decodeValid(requestEvents, reports))
      if (event.type === 'ParticipantReported' && event.waivedBy !== undefined)
        waivers.push({
          of: `${requestKey(event.ws, event.srid)} version ${event.version}`,
          digest: eventDigest(event),
          at: new Date(event.at),
        });
    return Promise.resolve();
  });
  return waivers;
}
