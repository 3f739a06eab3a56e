import { Controller, Inject } from '@nestjs/common';
import { commands, TOPICS, type RequestCommand } from '@opendsr-service/contracts';
import { ConsumeBatch, eachInOrder, type LogRecord, type Verdict } from '@opendsr-service/messaging';
import { Participants } from '@opendsr-service/workspaces';
import { RequestCommandHandler } from '../aggregates/request-command-handler';
import type { RequestInput } from '../domain/decide';
import { REQUEST_GROUP, REQUEST_WIDTH } from '../tokens';

/** Handles the gateway's commands. A gap is skipped: the gateway sends again from the first unanswered command (decision 2). */
@Controller()
export class CommandsConsumer {
  constructor(
    @Inject(RequestCommandHandler) private readonly requests: RequestCommandHandler,
    @Inject(Participants) private readonly participants: Participants,
  ) {}

  @ConsumeBatch(TOPICS.commands.name, REQUEST_GROUP)
  handle(records: readonly LogRecord[]): Promise<readonly Verdict[]> {
    return eachInOrder(
      records,
      async (record) => {
        const command = commands.decode(record);
        if (command.type === 'ReplayCallback') return 'skip';
        const outcome = await this.requests.handle(await this.input(command));
        if (outcome === 'too-large') return { park: outcome };
        return outcome === 'done' ? 'done' : 'skip';
      },
      { width: REQUEST_WIDTH },
    );
  }

  private async input(command: RequestCommand): Promise<RequestInput> {
    if (command.type !== 'StartRequest') return command;
    return {
      ...command,
      participants: command.participants ?? (await this.participants.participantsOf(command.ws, command.work.type)),
    };
  }
}
