import type { ReplayCallback, RequestEvent } from '@opendsr-service/contracts';
import type { Verdict } from '@opendsr-service/messaging';
import type { Clock } from '@opendsr-service/service';
import type { DestinationsStore } from './destinations.store';
import { destinationsOf, statusChangeOf } from './status-changes';
import { sendAt, type TickTimes } from './tick';

/** Applies request events to destinations: version n follows n-1, repeats have no effect, a gap is parked (decisions 3 and 7). */
export class DestinationProjection {
  constructor(
    private readonly store: DestinationsStore,
    private readonly clock: Clock,
    private readonly times: TickTimes,
  ) {}

  async apply(event: RequestEvent): Promise<Verdict> {
    const now = this.clock.now();
    const dueAt = (destination: string) => sendAt(destination, now, this.times);
    if (event.type === 'RequestReceived') {
      await this.store.open(
        destinationsOf(event).map((destination) => ({ ...destination, dueAt: dueAt(destination._id) })),
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
