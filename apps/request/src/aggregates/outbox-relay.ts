import { requestEvents, TOPICS } from '@opendsr-service/contracts';
import type { Publisher } from '@opendsr-service/messaging';
import type { AggregateDocument } from './aggregate.document';
import type { AggregatesStore } from './aggregates.store';

export class OutboxRelay {
  constructor(
    private readonly store: AggregatesStore,
    private readonly publisher: Publisher,
  ) {}

  get available(): boolean {
    return this.publisher.available;
  }

  async publish(aggregate: AggregateDocument): Promise<void> {
    const last = aggregate.outbox.at(-1);
    if (!last) return;
    await this.publisher.publish(
      TOPICS.requestEvents.name,
      aggregate.outbox.map((event) => requestEvents.encode(event)),
    );
    await this.store.markPublished(aggregate, last.version);
  }
}
