import { deliveryEvents, TOPICS } from '@opendsr-service/contracts';
import type { Publisher } from '@opendsr-service/messaging';
import type { Clock } from '@opendsr-service/service';
import type { DestinationOutbox } from './outbox.store';
import { publicationOf } from './publication';

const PAGE = 200;

/**
 * Tells the log what happens on destinations: for the controllers' ledger, and so that the keys of ended requests may go (D4). Nobody claims
 * anything: what is told again after a crash, or by two, is told under one id, and for the first time always in order.
 */
export class RelayWorker {
  constructor(
    private readonly store: Pick<DestinationOutbox, 'findUnpublished' | 'markPublished'>,
    private readonly publisher: Publisher,
    private readonly clock: Clock,
    private readonly longestTryMs: number,
  ) {}

  /** One page; answers 0 also where it was not full, so that what has just come is gathered until the next look, not told one by one. */
  async runPage(): Promise<number> {
    const told = await this.runOnce();
    return told < PAGE ? 0 : told;
  }

  /** One page, the earliest first; answers how many destinations it looked at. What the log does not acknowledge waits. */
  async runOnce(): Promise<number> {
    if (!this.publisher.available) return 0;
    const now = this.clock.now();
    const destinations = await this.store.findUnpublished(now, PAGE);
    if (destinations.length === 0) return 0;
    const publications = destinations.map((destination) => publicationOf(destination, now, this.longestTryMs));
    const records = publications.flatMap(({ events }) => events.map((event) => deliveryEvents.encode(event)));
    if (records.length > 0) await this.publisher.publish(TOPICS.deliveryEvents.name, records);
    await this.store.markPublished(publications, now);
    return destinations.length;
  }
}
