import { Get, Inject, Req, Res } from '@nestjs/common';
import { CallerGone, sendStream } from '@opendsr-service/edge';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Needs, OperatorController } from '../access/needs';
import { operatorOf } from '../access/operator-caller';
import { ChangeStreams } from './change-streams';

/** Says which requests change, while somebody looks. */
@OperatorController()
export class OperatorChangesController {
  constructor(@Inject(ChangeStreams) private readonly streams: ChangeStreams) {}

  @Get('changes')
  @Needs('read')
  async changes(@Req() http: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const stream = this.streams.start(operatorOf(http));
    void reply.headers({ 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' });
    await sendStream(reply, stream).catch((error: unknown) => {
      // Every browser leaves in the middle of such an answer.
      if (!(error instanceof CallerGone)) throw error;
    });
  }
}
