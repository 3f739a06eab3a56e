import type { Clock } from '@opendsr-service/service';
import type { AggregatesStore } from '../aggregates/aggregates.store';
import type { OutboxRelay } from '../aggregates/outbox-relay';

const PAGE = 200;

/** Publishes events that a crash or an outage left in an outbox (D2). */
export class RelayWorker {
  constructor(
    private readonly store: AggregatesStore,
    private readonly publication: OutboxRelay,
    private readonly clock: Clock,
    private readonly againAfterMs: number,
  ) {}

  /** One page, the oldest first; answers how many were published. */
  async runOnce(): Promise<number> {
    if (!this.publication.available) return 0;
    const now = this.clock.now();
    const until = new Date(now.getTime() + this.againAfterMs);
    const unpublished = await this.store.findUnpublished(now, PAGE);
    const published = await Promise.all(
      unpublished.map(async (aggregate) => {
        if (!(await this.store.reschedule(aggregate, until))) return false;
        await this.publication.publish(aggregate);
        return true;
      }),
    );
    return published.filter(Boolean).length;
  }
}
