import type { Publisher } from '@opendsr-service/messaging';
import type { Clock } from '@opendsr-service/service';
import type { DestinationOutbox } from './outbox.store';
import { publicationOf } from './publication';
import { publishDeliveries } from '../destinations/publish-deliveries';

const PAGE = 200;

/** For the controllers' ledger and the end of request keys (decision 4). No claims: repeats carry the same id. */
export class RelayWorker {
  constructor(
    private readonly store: Pick<DestinationOutbox, 'findUnpublished' | 'markPublished'>,
    private readonly publisher: Publisher,
    private readonly clock: Clock,
    private readonly longestTryMs: number,
  ) {}

  /** Returns 0 for a partial page, so that new events are gathered until the next poll. */
  async runPage(): Promise<number> {
    const published = await this.runOnce();
    return published < PAGE ? 0 : published;
  }

  async runOnce(): Promise<number> {
    if (!this.publisher.available) return 0;
    const now = this.clock.now();
    const destinations = await this.store.findUnpublished(now, PAGE);
    if (destinations.length === 0) return 0;
    const publications = destinations.map((destination) => publicationOf(destination, now, this.longestTryMs));
    const events = publications.flatMap((publication) => publication.events);
    if (events.length > 0) await publishDeliveries(this.publisher)(events);
    await this.store.markPublished(publications, now);
    return destinations.length;
  }
}
