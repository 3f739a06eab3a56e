import { Controller, Inject } from '@nestjs/common';
import { requestEvents, TOPICS } from '@opendsr-service/contracts';
import { ConsumeBatch, eachInOrder, type LogRecord, type Verdict } from '@opendsr-service/messaging';
import { GATEWAY_GROUP } from './consumer-group';
import { AdmissionProjection } from './admission-projection';

/** Concurrent events share bulk writes. */
const WIDTH = 200;

@Controller()
export class RequestEventsConsumer {
  constructor(@Inject(AdmissionProjection) private readonly projection: AdmissionProjection) {}

  @ConsumeBatch(TOPICS.requestEvents.name, GATEWAY_GROUP)
  handle(records: readonly LogRecord[]): Promise<readonly Verdict[]> {
    return eachInOrder(records, (record) => this.projection.apply(requestEvents.decode(record)), {
      width: WIDTH,
      together: (ofOneRequest) => this.projection.applyRun(ofOneRequest.map((record) => requestEvents.decode(record))),
    });
  }
}
