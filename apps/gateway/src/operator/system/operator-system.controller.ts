import { Controller, Get, Inject, Req, Res, UseFilters, UseGuards } from '@nestjs/common';
import { ProblemErrorFilter, sendAnswer } from '@opendsr-service/edge';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { OPERATOR_ROOT } from '../../versions/operator-paths';
import { Needs, OperatorGuard } from '../access/needs';
import { operatorOf } from '../access/operator-caller';
import { roleEverywhere } from '../access/reach';
import { OperatorSystem } from './operator-system';
import { OperatorTransparency } from './operator-transparency';

/** The services, for those whose roles reach all workspaces, and the public log. */
@Controller(OPERATOR_ROOT)
@UseGuards(OperatorGuard)
@UseFilters(ProblemErrorFilter)
export class OperatorSystemController {
  constructor(
    @Inject(OperatorSystem) private readonly system: OperatorSystem,
    @Inject(OperatorTransparency) private readonly transparency: OperatorTransparency,
  ) {}

  @Get('transparency')
  @Needs('read')
  async readTransparency(@Res() reply: FastifyReply): Promise<void> {
    sendAnswer(reply, 200, await this.transparency.read());
  }

  @Get('system')
  @Needs('read')
  async read(@Req() http: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    roleEverywhere(operatorOf(http), 'read');
    const { services, topics } = await this.system.read();
    sendAnswer(reply, 200, { services, topics });
  }
}
