import { Get, Inject, Req, Res } from '@nestjs/common';
import { sendAnswer } from '@opendsr-service/edge';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Needs, OperatorController } from '../access/needs';
import { operatorOf } from '../access/operator-caller';
import { roleEverywhere } from '../access/reach';
import { OperatorSystem } from './operator-system';
import { OperatorTransparency } from './operator-transparency';

/** The services, for those whose roles reach all workspaces, and the public log. */
@OperatorController()
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
