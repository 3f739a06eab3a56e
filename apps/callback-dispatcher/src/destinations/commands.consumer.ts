import { Controller, Inject } from '@nestjs/common';
import { commands, TOPICS } from '@opendsr-service/contracts';
import { ConsumeBatch, eachInOrder, type LogRecord, type Verdict } from '@opendsr-service/messaging';
import { CALLBACK_DISPATCHER_GROUP } from '../tokens';
import { DestinationProjection } from './destination-projection';

const OF_THE_REQUEST_SERVICE = ['SubmitRequest', 'StartRequest', 'CancelRequest', 'CompleteRequest'] as const;

/** Handles ReplayCallback; the request service handles the other commands. */
@Controller()
export class CommandsConsumer {
  constructor(@Inject(DestinationProjection) private readonly projection: DestinationProjection) {}

  @ConsumeBatch(TOPICS.commands.name, CALLBACK_DISPATCHER_GROUP)
  handle(records: readonly LogRecord[]): Promise<readonly Verdict[]> {
    return eachInOrder(records, async (record) => {
      if (commands.isOfType(record, OF_THE_REQUEST_SERVICE)) return 'skip';
      const command = commands.decode(record);
      return command.type === 'ReplayCallback' ? this.projection.replay(command) : 'skip';
    });
  }
}
