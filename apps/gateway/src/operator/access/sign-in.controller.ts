import { Controller, Get, Inject, Req, Res, UseFilters, UseGuards } from '@nestjs/common';
import { notFound, ProblemErrorFilter, sendJson } from '@opendsr-service/edge';
import { SIGN_IN_MS, type Operator } from '@opendsr-service/operator-access';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { SIGN_IN_PATH } from '../../versions/operator-paths';
import { operatorUnknown } from './operator-caller';
import { refusalOf } from './authenticate-operator';
import { cookieOf, removedCookie, SESSION_COOKIE, setCookie, SIGN_IN_COOKIE } from './cookies';
import { Needs, OperatorGuard } from './needs';
import { sessionAnswer } from './session-answer';
import { SIGN_IN_PARTS, type SignInParts } from './sign-in-parts';

/** Begins the sessions of browsers. */
@Controller(SIGN_IN_PATH)
@UseGuards(OperatorGuard)
@UseFilters(ProblemErrorFilter)
export class SignInController {
  constructor(@Inject(SIGN_IN_PARTS) private readonly parts: SignInParts) {}

  @Get()
  @Needs('nothing')
  async begin(@Res() reply: FastifyReply): Promise<void> {
    const { provider, signIns } = this.parts;
    if (!provider) throw notFound();
    const { url, checks } = await provider.beginSignIn().catch((error: unknown) => {
      throw refusalOf(error);
    });
    const value = await signIns.begin(checks);
    const cookie = setCookie(SIGN_IN_COOKIE, { value, maxAgeMs: SIGN_IN_MS, sameSite: 'Lax' });
    void reply.code(302).headers({ location: url, 'set-cookie': cookie }).send();
  }

  @Get('callback')
  @Needs('nothing')
  async finish(@Req() http: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const { provider, signIns } = this.parts;
    if (!provider) throw notFound();
    const secret = cookieOf(http.headers.cookie, SIGN_IN_COOKIE);
    const checks = secret === undefined ? undefined : await signIns.take(secret);
    if (!checks) throw operatorUnknown();
    const operator = await provider
      .finishSignIn(new URL(http.url, 'http://any').search, checks)
      .catch((error: unknown) => {
        throw refusalOf(error);
      });
    await this.begun(reply, operator);
  }

  @Get('link')
  @Needs('nothing')
  async useLink(@Req() http: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const { link } = this.parts;
    if (!link) throw notFound();
    const operator = link.use(new URL(http.url, 'http://any').searchParams.get('token') ?? '');
    if (!operator) throw operatorUnknown();
    await this.begun(reply, operator);
  }

  /** No redirect: a browser that comes from another site sends no strict cookie along one. */
  private async begun(reply: FastifyReply, operator: Operator): Promise<void> {
    const { sessions, clock } = this.parts;
    const { secret: value, session } = await sessions.begin(operator);
    const maxAgeMs = session.endsAt.getTime() - clock.now().getTime();
    const cookies = [setCookie(SESSION_COOKIE, { value, maxAgeMs, sameSite: 'Strict' }), removedCookie(SIGN_IN_COOKIE)];
    void reply.header('set-cookie', cookies);
    sendJson(reply, 200, Buffer.from(JSON.stringify(sessionAnswer({ ...operator, session }))));
  }
}
