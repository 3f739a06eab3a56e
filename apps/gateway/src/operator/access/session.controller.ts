import { Delete, Get, Inject, Req, Res } from '@nestjs/common';
import { sendAnswer } from '@opendsr-service/edge';
import { Sessions } from '@opendsr-service/operator-access';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { removedCookie, SESSION_COOKIE } from './cookies';
import { Needs, OperatorController } from './needs';
import { operatorOf } from './operator-caller';
import { sessionAnswer } from './session-answer';

/** Who calls, and the end of sessions. */
@OperatorController()
export class OperatorSessionController {
  constructor(@Inject(Sessions) private readonly sessions: Sessions) {}

  @Get('session')
  @Needs('session')
  read(@Req() http: FastifyRequest, @Res() reply: FastifyReply): void {
    sendAnswer(reply, 200, sessionAnswer(operatorOf(http)));
  }

  @Delete('session')
  @Needs('session')
  async signOut(@Req() http: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const { session } = operatorOf(http);
    if (session) await this.sessions.end(session);
    signedOut(reply);
  }

  @Delete('sessions')
  @Needs('session')
  async signOutEverywhere(@Req() http: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.sessions.endAll(operatorOf(http).subject);
    signedOut(reply);
  }
}

function signedOut(reply: FastifyReply): void {
  void reply.code(204).header('set-cookie', removedCookie(SESSION_COOKIE)).send();
}
