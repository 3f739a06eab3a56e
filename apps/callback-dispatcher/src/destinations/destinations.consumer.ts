import { Controller, Inject } from '@nestjs/common';
import { commands, requestEvents, TOPICS } from '@opendsr-service/contracts';
import { byType, ConsumeBatch, eachInOrder, type LogRecord, type Verdict } from '@opendsr-service/messaging';
import { CALLBACK_DISPATCHER_GROUP } from '../tokens';
import { DestinationProjection } from './destination-projection';

/** Handles request events, and ReplayCallback; the request service handles the other commands. */
@Controller()
export class DestinationsConsumer {
  constructor(@Inject(DestinationProjection) private readonly projection: DestinationProjection) {}

  @ConsumeBatch(TOPICS.requestEvents.name, CALLBACK_DISPATCHER_GROUP)
  handleEvents(records: readonly LogRecord[]): Promise<readonly Verdict[]> {
    return eachInOrder(records, (record) => this.projection.apply(requestEvents.decode(record)));
  }

  @ConsumeBatch(TOPICS.commands.name, CALLBACK_DISPATCHER_GROUP)
  handleCommands(records: readonly LogRecord[]): Promise<readonly Verdict[]> {
    return eachInOrder(records, this.handleCommand);
  }

  private readonly handleCommand = byType(commands, {
    SubmitRequest: 'skip',
    StartRequest: 'skip',
    CancelRequest: 'skip',
    CompleteRequest: 'skip',
    ExtendDeadline: 'skip',
    ReplayCallback: (command) => this.projection.replay(command),
  });
}
