import type { KeyObject } from 'node:crypto';
import { TOPICS } from '@opendsr-service/contracts';
import type { Publisher } from '@opendsr-service/messaging';
import type { Clock } from '@opendsr-service/service';
import { leavesOf } from '../domain/leaves-of';
import { messageOf } from '../domain/logged-event';
import type { AggregateDocument } from './aggregate.document';
import type { AggregatesStore } from './aggregates.store';

const PAGE = 200;
/** So long at most a published outbox counts as unpublished, where no write of its request empties it before. */
const EMPTIED_AFTER_MS = 2_500;

interface OutboxRelayOptions {
  readonly againAfterMs: number;
  readonly leafKey: KeyObject;
}

/** Publishes the events of outboxes, with the leaves that follow from them: right after they are written, and again what a crash or an outage left there (decision 2). */
export class OutboxRelay {
  constructor(
    private readonly store: AggregatesStore,
    private readonly publisher: Publisher,
    private readonly clock: Clock,
    private readonly options: OutboxRelayOptions,
  ) {}

  /** Publishes one outbox whole and in order. Rejects where the log does not acknowledge; the outbox then stays. */
  async publish(aggregate: AggregateDocument): Promise<void> {
    if (this.store.isPublished(aggregate)) return;
    const records = aggregate.outbox.map(messageOf);
    const leaves = aggregate.outbox.flatMap((event) => leavesOf(event, this.options.leafKey));
    // Both before the outbox counts as published, so that a crash loses no leaf, and together, so that they share a commit.
    await Promise.all([
      this.publisher.publish(TOPICS.requestEvents.name, records),
      leaves.length > 0 && this.publisher.publish(TOPICS.evidenceLeaves.name, leaves),
    ]);
    this.store.markPublished(aggregate, this.clock.now());
  }

  /**
   * Publishes one page, the oldest first; returns how many outboxes. One that fails stops no other; rejects in the end. Empties
   * those that no save has emptied.
   */
  async runOnce(): Promise<number> {
    const { againAfterMs } = this.options;
    const now = this.clock.now();
    await this.store.emptyPublished(new Date(now.getTime() - Math.min(againAfterMs / 2, EMPTIED_AFTER_MS)));
    if (!this.publisher.available) return 0;
    const until = new Date(now.getTime() + againAfterMs);
    const unpublished = await this.store.findUnpublished(now, PAGE);
    const ends = await Promise.allSettled(
      unpublished.map(async (aggregate) => {
        if (!(await this.store.reschedule(aggregate, until))) return 0;
        await this.publish(aggregate);
        return 1;
      }),
    );
    let published = 0;
    for (const end of ends) {
      if (end.status === 'rejected') throw end.reason;
      published += end.value;
    }
    return published;
  }
}
