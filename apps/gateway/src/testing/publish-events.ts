import { messageId, requestEvents, TOPICS, type RequestEvent } from '@opendsr-service/contracts';
import type { World } from './world';

type Request = Readonly<Record<'ws' | 'srid', string>>;
type Fact = { readonly type: string; readonly commandSeq: number } & Readonly<Record<string, unknown>>;

/** Publishes for the request service the events of a request, from its first one on. */
export async function publishEvents(
  { parts, clock }: World,
  { ws, srid }: Request,
  facts: readonly Fact[],
): Promise<void> {
  const events = facts.map((fact, n) =>
    requestEvents.encode({
      ...{ ...fact, id: messageId(ws, srid, n + 1), ws, srid, version: n + 1 },
      at: clock.now().toISOString(),
    } as unknown as RequestEvent),
  );
  await parts.log.publisher.publish(TOPICS.requestEvents.name, events);
}

/** Says for the request service that a request was received and cancelled. */
export const publishCancellation = (world: World, request: Request): Promise<void> =>
  // The gateway reads nothing of the first but its head.
  publishEvents(world, request, [
    { type: 'LaterEvent', commandSeq: 1 },
    { type: 'RequestCancelled', commandSeq: 2 },
  ]);
