import { Controller, Inject } from '@nestjs/common';
import {
  PARTICIPANTS,
  requestEvents,
  requestKey,
  TOPICS,
  type RequestCompleted,
  type RequestStarted,
} from '@opendsr-service/contracts';
import { byType, ConsumeBatch, eachInOrder, type LogRecord, type Verdict } from '@opendsr-service/messaging';
import type { Clock } from '@opendsr-service/service';
import { AgedCache } from '@opendsr-service/vault';
import { CLOCK, INGESTION_REQUESTS_GROUP } from '../tokens';
import { ErasuresStore } from './erasures.store';

/** Concurrent events share bulk writes. */
const WIDTH = 200;
/** Most requests complete seconds after they started. */
const REMEMBERED = { maxEntries: 10_000, maxAgeMs: 3_600_000 };

/** Stores the erasures in which ingestion takes part. Results asks for access data over the export. */
@Controller()
export class ErasuresConsumer {
  /** Requests that are no erasures of ours: their completion, which does not say so, needs no query. */
  private readonly others: AgedCache<true>;

  constructor(
    private readonly erasures: ErasuresStore,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    this.others = new AgedCache(REMEMBERED, () => clock.now().getTime());
  }

  @ConsumeBatch(TOPICS.requestEvents.name, INGESTION_REQUESTS_GROUP)
  handleRecords(records: readonly LogRecord[]): Promise<readonly Verdict[]> {
    return eachInOrder(records, this.handleRecord, { width: WIDTH });
  }

  private readonly handleRecord = byType(requestEvents, {
    RequestReceived: 'skip',
    RequestCancelled: 'skip',
    RequestStarted: (event) => this.addErasure(event),
    ParticipantReported: 'skip',
    DeadlineExtended: 'skip',
    RequestFulfilled: 'skip',
    RequestCompleted: (event) => this.recordCompleted(event),
  });

  private async addErasure({ ws, srid, at, work, participants }: RequestStarted): Promise<Verdict> {
    if (work.type !== 'erasure' || !participants.includes(PARTICIPANTS.ingestion)) {
      this.others.set(requestKey(ws, srid), true);
      return 'skip';
    }
    const { kid, identities } = work;
    await this.erasures.add({ ws, srid, kid, identities }, new Date(at), this.clock.now());
    return 'done';
  }

  private async recordCompleted({ ws, srid }: RequestCompleted): Promise<Verdict> {
    if (this.others.get(requestKey(ws, srid))) return 'skip';
    await this.erasures.recordRequestCompleted(ws, srid, this.clock.now());
    return 'done';
  }
}
