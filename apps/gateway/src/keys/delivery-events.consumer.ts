import { Controller, Inject } from '@nestjs/common';
import { deliveryEvents, TOPICS } from '@opendsr-service/contracts';
import { ConsumeBatch, eachInOrder, type LogRecord, type Verdict } from '@opendsr-service/messaging';
import { GATEWAY_GROUP } from '../tokens';
import { RequestKeysStore } from './request-keys.store';

/** Takes note of lanes on which nothing will be sent any more. */
@Controller()
export class DeliveryEventsConsumer {
  constructor(@Inject(RequestKeysStore) private readonly keys: RequestKeysStore) {}

  @ConsumeBatch(TOPICS.deliveryEvents.name, GATEWAY_GROUP)
  handle(records: readonly LogRecord[]): Promise<readonly Verdict[]> {
    return eachInOrder(records, async (record) => {
      const event = deliveryEvents.decode(record);
      return event.type === 'LaneSettled' && (await this.keys.settle(event)) ? 'done' : 'skip';
    });
  }
}
