import { Controller, Inject } from '@nestjs/common';
import { requestEvents, TOPICS } from '@opendsr-service/contracts';
import { ConsumeBatch, eachInOrder, type LogRecord, type Verdict } from '@opendsr-service/messaging';
import { CALLBACK_DISPATCHER_GROUP } from '../tokens';
import { DestinationProjection } from './destination-projection';

@Controller()
export class RequestEventsConsumer {
  constructor(@Inject(DestinationProjection) private readonly projection: DestinationProjection) {}

  @ConsumeBatch(TOPICS.requestEvents.name, CALLBACK_DISPATCHER_GROUP)
  handle(records: readonly LogRecord[]): Promise<readonly Verdict[]> {
    return eachInOrder(records, (record) => this.projection.apply(requestEvents.decode(record)));
  }
}
