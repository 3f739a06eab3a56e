import { Controller, Inject } from '@nestjs/common';
import { PARTICIPANTS, requestEvents, TOPICS, type RequestStarted } from '@opendsr-service/contracts';
import { byType, ConsumeBatch, eachInOrder, type LogRecord, type Verdict } from '@opendsr-service/messaging';
import type { Clock } from '@opendsr-service/service';
import { CLOCK, INGESTION_REQUESTS_GROUP } from '../tokens';
import { ErasuresStore } from './erasures.store';

/** Concurrent events share bulk writes. */
const WIDTH = 200;

/** Stores the erasures in which ingestion takes part. Results asks for access data over the export. */
@Controller()
export class ErasuresConsumer {
  constructor(
    private readonly erasures: ErasuresStore,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

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
    RequestCompleted: async ({ ws, srid }) => {
      await this.erasures.recordRequestCompleted(ws, srid, this.clock.now());
      return 'done';
    },
  });

  private async addErasure({ ws, srid, at, work, participants }: RequestStarted): Promise<Verdict> {
    if (work.type !== 'erasure' || !participants.includes(PARTICIPANTS.ingestion)) return 'skip';
    const { kid, identities } = work;
    await this.erasures.add({ ws, srid, kid, identities }, new Date(at), this.clock.now());
    return 'done';
  }
}
