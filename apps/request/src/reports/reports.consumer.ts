import { Controller, Inject } from '@nestjs/common';
import { participantReports, TOPICS } from '@opendsr-service/contracts';
import { ConsumeBatch, eachInOrder, type LogRecord, type Verdict } from '@opendsr-service/messaging';
import { Requests } from '../aggregates/requests';
import { REQUEST_GROUP } from '../tokens';

/** Takes participants' reports. One that nobody was asked for is parked with its reason (D8). */
@Controller()
export class ReportsConsumer {
  constructor(@Inject(Requests) private readonly requests: Requests) {}

  @ConsumeBatch(TOPICS.participantReports.name, REQUEST_GROUP)
  handle(records: readonly LogRecord[]): Promise<readonly Verdict[]> {
    return eachInOrder(records, async (record): Promise<Verdict> => {
      const outcome = await this.requests.happen(participantReports.decode(record));
      if (outcome === 'not-registered' || outcome === 'not-started') return { park: outcome };
      return outcome === 'done' ? 'done' : 'skip';
    });
  }
}
