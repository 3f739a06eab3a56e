import type { ReplayCallback, RequestEvent } from '@opendsr-service/contracts';
import type { Verdict } from '@opendsr-service/messaging';
import type { Clock } from '@opendsr-service/runtime';
import type { LanesStore } from './lanes.store';
import { lanesOf, statusChangeOf } from './status-changes';
import { sendingAt, type TickTimes } from './tick';

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
      await this.store.open(
        lanesOf(event).map((lane) => ({ ...lane, dueAt: dueAt(lane._id) })),
        now,
      );
      return 'done';
    }
    const { ws, srid, version: v } = event;
    const callback = statusChangeOf(event);
    const outcome = await this.store.append({ ws, srid }, { v, now, dueAt, ...(callback && { callback }) });
    return outcome === 'gap' ? { park: 'version-gap' } : 'done';
  }

  async replay(command: ReplayCallback): Promise<Verdict> {
    return (await this.store.replay(command, this.clock.now())) ? 'done' : 'skip';
  }
}
