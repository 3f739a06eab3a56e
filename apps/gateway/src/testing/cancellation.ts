import { messageId, requestEvents, TOPICS, type RequestEvent } from '@opendsr-service/contracts';
import type { World } from './world';

/** Says for the request service that a request was received and cancelled. */
export async function publishCancellation(
  { parts, clock }: World,
  { ws, srid }: Readonly<Record<'ws' | 'srid', string>>,
): Promise<void> {
  const event = (version: number, type: string) =>
    requestEvents.encode({
      ...{ type, id: messageId(ws, srid, version), ws, srid, version, commandSeq: version },
      at: clock.now().toISOString(),
    } as RequestEvent);
  // The gateway reads nothing of the first but its head.
  const events = [event(1, 'LaterEvent'), event(2, 'RequestCancelled')];
  await parts.log.publisher.publish(TOPICS.requestEvents.name, events);
}
