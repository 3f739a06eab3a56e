import { PublishRefused, type Publisher } from '@opendsr-service/messaging';
import type { Clock } from '@opendsr-service/service';
import type { DestinationOutbox } from './outbox.store';
import { publicationOf, type Publication } from './publication';
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
    try {
      await this.publish(publications);
      await this.store.markPublished(publications, now);
    } catch (error) {
      if (!(error instanceof PublishRefused) || !this.publisher.available) throw error;
      await this.publishEach(publications, now);
    }
    return destinations.length;
  }

  /** For a page that the log refuses as a whole: one partition that takes nothing stops no other. */
  private async publishEach(publications: readonly Publication[], now: Date): Promise<void> {
    const outcomes = await Promise.allSettled(publications.map((publication) => this.publish([publication])));
    const [acknowledged = [], refused = []] = ['fulfilled', 'rejected'].map((status) =>
      publications.filter((_, index) => outcomes[index]?.status === status),
    );
    if (acknowledged.length > 0) await this.store.markPublished(acknowledged, now);
    if (refused.length > 0) await this.store.postpone(refused, new Date(now.getTime() + REFUSED_MS));
  }

  private async publish(publications: readonly Publication[]): Promise<void> {
    const events = publications.flatMap((publication) => publication.events);
    if (events.length > 0) await publishDeliveries(this.publisher)(events);
  }
}
