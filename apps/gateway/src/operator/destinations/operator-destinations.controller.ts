import { Get, Inject, Param, Query, Req, Res } from '@nestjs/common';
import { sendAnswer } from '@opendsr-service/edge';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { OPERATOR_ROOT } from '../../versions/operator-paths';
import { Needs, OperatorController } from '../access/needs';
import { operatorOf } from '../access/operator-caller';
import { parseDestinationQuery } from './destination-query';
import { OperatorDestinations } from './operator-destinations';

/** The hosts that receive callbacks. */
@OperatorController(`${OPERATOR_ROOT}/destinations`)
export class OperatorDestinationsController {
  constructor(@Inject(OperatorDestinations) private readonly destinations: OperatorDestinations) {}

  @Get()
  @Needs('read')
  async list(
    @Req() http: FastifyRequest,
    @Res() reply: FastifyReply,
    @Query() parameters: Readonly<Record<string, unknown>>,
  ): Promise<void> {
    const answer = await this.destinations.list(operatorOf(http), parseDestinationQuery(parameters));
    sendAnswer(reply, 200, answer);
  }

  @Get(':ws/:host')
  @Needs('read')
  async read(
    @Res() reply: FastifyReply,
    @Param() { ws, host }: Readonly<Record<'ws' | 'host', string>>,
  ): Promise<void> {
    sendAnswer(reply, 200, await this.destinations.read(ws, host));
  }
}
