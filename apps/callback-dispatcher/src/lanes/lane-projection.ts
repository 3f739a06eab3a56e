import { requestKey, type ReplayCallback, type RequestEvent, type RequestReceived, type RequestStatus } from '@opendsr-service/contracts';
import type { Verdict } from '@opendsr-service/messaging';
import type { Clock } from '@opendsr-service/runtime';
import type { Lane } from './lane';
import type { LanesStore } from './lanes.store';
import { sendingAt, type TickTimes } from './tick';

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
    private readonly times: TickTimes,
  ) {}

  async apply(event: RequestEvent): Promise<Verdict> {
    const now = this.clock.now();
    const dueAt = (lane: string) => sendingAt(lane, now, this.times);
    if (event.type === 'RequestReceived') {
      await this.store.open(lanesOf(event, dueAt), now);
      return 'done';
    }
    const { ws, srid, version: v, at } = event;
    const status = STATUS[event.type];
    const shown = 'extensions' in event && event.extensions ? { extensions: event.extensions } : {};
    const outcome = await this.store.append({ ws, srid }, { v, now, dueAt, ...(status && { callback: { v, status, at, ...shown } }) });
    return outcome === 'gap' ? { park: 'version-gap' } : 'done';
  }

  async replay(command: ReplayCallback): Promise<Verdict> {
    return (await this.store.replay(command, this.clock.now())) ? 'done' : 'skip';
  }
}

/** One lane for each URL, with what later callbacks need and the first of them. */
function lanesOf({ ws, srid, version: v, at, request }: RequestReceived, dueAt: (lane: string) => Date): Lane[] {
  const { controllerId, apiVersion, type, expectedAt, kid } = request;
  return request.callbacks.map(({ lane, url, host }) => {
    const _id = `${requestKey(ws, srid)}|${lane}`;
    return { _id, ...{ ws, srid, lane, v, pending: [{ v, status: 'pending', at }], dueAt: dueAt(_id) }, ...{ controllerId, apiVersion, type, expectedAt, kid, url, ...(host !== undefined && { host }) } };
  });
}
