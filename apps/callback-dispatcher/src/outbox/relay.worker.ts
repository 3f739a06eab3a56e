import { PublishRefused, type Publisher } from '@opendsr-service/messaging';
import type { Clock } from '@opendsr-service/service';
import type { DestinationOutbox } from './outbox.store';
import { publicationOf } from './publication';
import { publishDeliveries } from '../destinations/publish-deliveries';

const PAGE = 200;
/** A refused outbox is read again after this time, so that those of a partition that takes nothing do not fill every page. */
const REFUSED_MS = 5_000;

/** For the controllers' ledger and the end of request keys (decision 4). No claims: repeats carry the same id. */
export class RelayWorker {
  constructor(
    private readonly store: Pick<DestinationOutbox, 'findUnpublished' | 'markPublished' | 'postpone'>,
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
    const publish = publishDeliveries(this.publisher);
    // Each by itself: one partition that takes nothing stops no other. They share sends nevertheless.
    const outcomes = await Promise.allSettled(
      publications.map(({ events }) => (events.length > 0 ? publish(events) : Promise.resolve())),
    );
    const acknowledged = publications.filter((_, index) => outcomes[index]?.status === 'fulfilled');
    if (acknowledged.length > 0) await this.store.markPublished(acknowledged, now);
    const failure = outcomes.find((outcome) => outcome.status === 'rejected');
    if (!failure) return destinations.length;
    const isLogThere = failure.reason instanceof PublishRefused && this.publisher.available;
    if (acknowledged.length === 0 && !isLogThere) throw failure.reason;
    const refused = publications.filter((_, index) => outcomes[index]?.status === 'rejected');
    await this.store.postpone(refused, new Date(now.getTime() + REFUSED_MS));
    return destinations.length;
  }
}
