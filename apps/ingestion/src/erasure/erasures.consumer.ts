import { Controller, Inject } from '@nestjs/common';
import { PARTICIPANTS, requestEvents, TOPICS, type RequestEvent } from '@opendsr-service/contracts';
import { ConsumeBatch, eachInOrder, type LogRecord, type Verdict } from '@opendsr-service/messaging';
import type { Clock } from '@opendsr-service/service';
import { CLOCK, INGESTION_REQUESTS_GROUP } from '../tokens';
import { ErasuresStore } from './erasures.store';

const WITHOUT_WORK = [
  'RequestReceived',
  'RequestCancelled',
  'ParticipantReported',
  'DeadlineExtended',
  'RequestFulfilled',
] as const;
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
    return eachInOrder(
      records,
      async (record) =>
        requestEvents.isOfType(record, WITHOUT_WORK) ? 'skip' : this.handleEvent(requestEvents.decode(record)),
      { width: WIDTH },
    );
  }

  private async handleEvent(event: RequestEvent): Promise<Verdict> {
    switch (event.type) {
      case 'RequestStarted': {
        const { ws, srid, work, participants } = event;
        if (work.type !== 'erasure' || !participants.includes(PARTICIPANTS.ingestion)) return 'skip';
        await this.erasures.add(
          { ws, srid, kid: work.kid, identities: work.identities },
          new Date(event.at),
          this.clock.now(),
        );
        return 'done';
      }
      case 'RequestCompleted':
        await this.erasures.recordRequestCompleted(event.ws, event.srid, this.clock.now());
        return 'done';
      case 'RequestReceived':
      case 'RequestCancelled':
      case 'ParticipantReported':
      case 'DeadlineExtended':
      case 'RequestFulfilled':
        return 'skip';
    }
  }
}
