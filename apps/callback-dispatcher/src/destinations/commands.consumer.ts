import { Controller, Inject } from '@nestjs/common';
import { commands, TOPICS } from '@opendsr-service/contracts';
import { byType, ConsumeBatch, eachInOrder, type LogRecord, type Verdict } from '@opendsr-service/messaging';
import { CALLBACK_DISPATCHER_GROUP } from '../tokens';
import { DestinationProjection } from './destination-projection';

/** Handles ReplayCallback; the request service handles the other commands. */
@Controller()
export class CommandsConsumer {
  constructor(@Inject(DestinationProjection) private readonly projection: DestinationProjection) {}

  @ConsumeBatch(TOPICS.commands.name, CALLBACK_DISPATCHER_GROUP)
  handle(records: readonly LogRecord[]): Promise<readonly Verdict[]> {
    return eachInOrder(records, this.handleRecord);
  }

  private readonly handleRecord = byType(commands, {
    SubmitRequest: 'skip',
    StartRequest: 'skip',
    CancelRequest: 'skip',
    CompleteRequest: 'skip',
    ExtendDeadline: 'skip',
    ReplayCallback: (command) => this.projection.replay(command),
  });
}
