import { Get, Inject, Res } from '@nestjs/common';
import { CallerGone, sendStream } from '@opendsr-service/edge';
import type { FastifyReply } from 'fastify';
import { Needs, OperatorController } from '../access/needs';
import { Caller, type OperatorCaller } from '../access/operator-caller';
import { ChangeStreams } from './change-streams';

/** Says which requests change, while somebody looks. */
@OperatorController()
export class OperatorChangesController {
  constructor(@Inject(ChangeStreams) private readonly streams: ChangeStreams) {}

  @Get('changes')
  @Needs('read')
  async changes(@Caller() operator: OperatorCaller, @Res() reply: FastifyReply): Promise<void> {
    const stream = this.streams.start(operator);
    void reply.headers({ 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' });
    await sendStream(reply, stream).catch((error: unknown) => {
      // Every browser leaves in the middle of such an answer.
      if (!(error instanceof CallerGone)) throw error;
    });
  }
}
