import { Get, Inject, Query, Req, Res } from '@nestjs/common';
import { sendAnswer } from '@opendsr-service/edge';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Needs, OperatorController } from '../access/needs';
import { operatorOf } from '../access/operator-caller';
import { QueryReader } from '../lists/query-reader';
import { OperatorOverview } from './operator-overview';

/** How the service does. */
@OperatorController()
export class OperatorOverviewController {
  constructor(@Inject(OperatorOverview) private readonly overview: OperatorOverview) {}

  @Get('overview')
  @Needs('read')
  async read(
    @Req() http: FastifyRequest,
    @Res() reply: FastifyReply,
    @Query() parameters: Readonly<Record<string, unknown>>,
  ): Promise<void> {
    const reader = new QueryReader(parameters, ['workspace']);
    const workspace = reader.text('workspace');
    reader.end();
    const answer = await this.overview.read(operatorOf(http), workspace);
    sendAnswer(reply, 200, answer);
  }
}
