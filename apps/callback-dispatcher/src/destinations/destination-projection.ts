import { requestKey, type ReplayCallback, type RequestEvent } from '@opendsr-service/contracts';
import type { Verdict } from '@opendsr-service/messaging';
import type { Clock } from '@opendsr-service/service';
import { AgedCache } from '@opendsr-service/vault';
import type { DestinationsStore } from './destinations.store';
import { destinationsOf, extensionOf, statusChangeOf } from './status-changes';
import { sendAt, type TickTimes } from './tick';

const REMEMBERED = { maxEntries: 100_000, maxAgeMs: 86_400_000 };

/** Applies request events to destinations: version n follows n-1, repeats have no effect, a gap is parked (decisions 3 and 7). */
export class DestinationProjection {
  /** Requests without a callback: none of their later events concerns a destination. */
  private readonly withoutCallbacks: AgedCache<true>;

  constructor(
    private readonly store: DestinationsStore,
    private readonly clock: Clock,
    private readonly times: TickTimes,
  ) {
    this.withoutCallbacks = new AgedCache(REMEMBERED, () => clock.now().getTime());
  }

  async apply(event: RequestEvent): Promise<Verdict> {
    const now = this.clock.now();
    const dueAt = (destination: string) => sendAt(destination, now, this.times);
    const { ws, srid, version: v } = event;
    const key = requestKey(ws, srid);
    if (event.type === 'RequestReceived') {
      const destinations = destinationsOf(event);
      if (destinations.length === 0) this.withoutCallbacks.set(key, true);
      await this.store.open(
        destinations.map((destination) => ({ ...destination, dueAt: dueAt(destination._id) })),
        now,
      );
      return 'done';
    }
    if (this.withoutCallbacks.get(key)) return 'skip';
    const callback = statusChangeOf(event);
    const outcome = await this.store.append(
      { ws, srid },
      { v, now, dueAt, ...(callback && { callback }), ...extensionOf(event) },
    );
    return outcome === 'gap' ? { park: 'version-gap' } : 'done';
  }

  async replay(command: ReplayCallback): Promise<Verdict> {
    return (await this.store.replay(command, this.clock.now())) ? 'done' : 'skip';
  }
}
