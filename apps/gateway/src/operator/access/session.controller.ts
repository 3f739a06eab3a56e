import { Delete, Get, Inject, Res } from '@nestjs/common';
import { Sessions } from '@opendsr-service/operator-access';
import type { FastifyReply } from 'fastify';
import { removedCookie, SESSION_COOKIE } from './cookies';
import { Needs, OperatorController } from './needs';
import { Caller, type OperatorCaller } from './operator-caller';
import { sessionAnswer } from './session-answer';

/** Who calls, and the end of sessions. */
@OperatorController()
export class OperatorSessionController {
  constructor(@Inject(Sessions) private readonly sessions: Sessions) {}

  @Get('session')
  @Needs('session')
  read(@Caller() operator: OperatorCaller): object {
    return sessionAnswer(operator);
  }

  @Delete('session')
  @Needs('session')
  async signOut(@Caller() { session }: OperatorCaller, @Res() reply: FastifyReply): Promise<void> {
    if (session) await this.sessions.end(session);
    signedOut(reply);
  }

  @Delete('sessions')
  @Needs('session')
  async signOutEverywhere(@Caller() { subject }: OperatorCaller, @Res() reply: FastifyReply): Promise<void> {
    await this.sessions.endAll(subject);
    signedOut(reply);
  }
}

function signedOut(reply: FastifyReply): void {
  void reply.code(204).header('set-cookie', removedCookie(SESSION_COOKIE)).send();
}
