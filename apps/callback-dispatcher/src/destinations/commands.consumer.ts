import { Controller, Inject } from '@nestjs/common';
import { commands, TOPICS } from '@opendsr-service/contracts';
import { ConsumeBatch, eachInOrder, type LogRecord, type Verdict } from '@opendsr-service/messaging';
import { CALLBACK_DISPATCHER_GROUP } from '../tokens';
import { DestinationProjection } from './destination-projection';

/** Obeys the command to send a callback once more; the others are the request service's. */
@Controller()
export class CommandsConsumer {
  constructor(@Inject(DestinationProjection) private readonly projection: DestinationProjection) {}

  @ConsumeBatch(TOPICS.commands.name, CALLBACK_DISPATCHER_GROUP)
  handle(records: readonly LogRecord[]): Promise<readonly Verdict[]> {
    return eachInOrder(records, async (record) => {
      const command = commands.decode(record);
      return command.type === 'ReplayCallback' ? this.projection.replay(command) : 'skip';
    });
  }
}
