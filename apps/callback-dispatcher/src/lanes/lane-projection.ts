import { requestKey, type RequestEvent, type RequestReceived, type RequestStatus } from '@opendsr-service/contracts';
import type { Verdict } from '@opendsr-service/messaging';
import type { Clock } from '@opendsr-service/runtime';
import { nextTick } from './next-tick';
import type { Lane } from './lane';
import type { LanesStore } from './lanes.store';

/** The status that an event brings, and so a callback; the others only count as seen. */
const STATUS: Record<RequestEvent['type'], RequestStatus | undefined> = {
  RequestReceived: 'pending',
  RequestCancelled: 'cancelled',
  RequestStarted: 'in_progress',
  ParticipantReported: undefined,
  RequestFulfilled: undefined,
  RequestCompleted: 'completed',
};

/** Turns request events into lanes and what waits on them: version n on n-1, repeats without effect, a gap parked (D3, D7). */
export class LaneProjection {
  constructor(
    private readonly store: LanesStore,
    private readonly clock: Clock,
    private readonly tickMs: number,
  ) {}

  async apply(event: RequestEvent): Promise<Verdict> {
    const dueAt = nextTick(this.clock.now(), this.tickMs);
    if (event.type === 'RequestReceived') {
      await this.store.open(lanesOf(event, dueAt));
      return 'done';
    }
    const { ws, srid, version: v, at } = event;
    const status = STATUS[event.type];
    const shown = 'extensions' in event && event.extensions ? { extensions: event.extensions } : {};
    const outcome = await this.store.append({ ws, srid }, { v, ...(status && { callback: { v, status, at, ...shown } }) }, dueAt);
    return outcome === 'gap' ? { park: 'version-gap' } : 'done';
  }
}

/** One lane for each URL, with what later callbacks need and the first of them. */
function lanesOf({ ws, srid, version: v, at, request }: RequestReceived, dueAt: Date): Lane[] {
  const { controllerId, apiVersion, type, expectedAt, kid } = request;
  return request.callbacks.map(({ lane, url }) => ({
    _id: `${requestKey(ws, srid)}|${lane}`,
    ...{ ws, srid, lane, v, pending: [{ v, status: 'pending', at }], dueAt },
    ...{ controllerId, apiVersion, type, expectedAt, kid, url },
  }));
}
