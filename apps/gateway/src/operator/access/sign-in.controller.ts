import { Body, Get, Inject, Post, Req, Res } from '@nestjs/common';
import { notFound, sendAnswer, validateBody } from '@opendsr-service/edge';
import {
  type IdentityProvider,
  IdentityProviderAway,
  NotProved,
  type OneTimeLink,
  type Operator,
  type Sessions,
  SIGN_IN_MS,
  type SignIns,
} from '@opendsr-service/operator-access';
import type { Clock } from '@opendsr-service/service';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CONSOLE_ROOT, SIGN_IN_PATH } from '../../versions/operator-paths';
import { operatorUnknown } from './operator-caller';
import { refusalOf } from './authenticate-operator';
import { cookieOf, removedCookie, SESSION_COOKIE, setCookie, SIGN_IN_COOKIE } from './cookies';
import { Needs, OperatorController } from './needs';
import { sessionAnswer } from './session-answer';
import { SignInLink } from './sign-in-link.dto';

/** What begins sessions: a provider, or the link of a sandbox. */
export interface SignInParts {
  readonly provider: IdentityProvider | undefined;
  readonly link: OneTimeLink | undefined;
  readonly sessions: Sessions;
  readonly signIns: SignIns;
  readonly hasConsole: boolean;
  readonly clock: Clock;
}

export const SIGN_IN_PARTS = Symbol('sign-in parts');

/** Begins the sessions of browsers. */
@OperatorController(SIGN_IN_PATH)
export class SignInController {
  constructor(@Inject(SIGN_IN_PARTS) private readonly parts: SignInParts) {}

  @Get()
  @Needs('nothing')
  async begin(@Req() http: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const { provider, signIns } = this.parts;
    if (!provider) throw notFound();
    const begun = await provider.beginSignIn().catch((error: unknown) => this.refuse(http, reply, error));
    if (!begun) return;
    const { url, checks } = begun;
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
    const { search, searchParams } = new URL(http.url, 'http://any');
    const checks = secret === undefined ? undefined : await signIns.take(secret, searchParams.get('state') ?? '');
    const finished = checks
      ? provider.finishSignIn(search, checks)
      : Promise.reject(new NotProved('no such sign-in of this browser'));
    const operator = await finished.catch((error: unknown) => this.refuse(http, reply, error));
    if (!operator) return;
    const answer = await this.begun(reply, operator);
    if (this.goesOn(http)) void reply.code(303).header('location', `${CONSOLE_ROOT}/`).send();
    else sendAnswer(reply, 200, answer);
  }

  /** The secret is in the body: logs of proxies have addresses. No other site can send JSON here. */
  @Post('link')
  @Needs('nothing')
  async useLink(@Res() reply: FastifyReply, @Body() body: unknown): Promise<void> {
    const { link } = this.parts;
    // Before the body is checked: there is nothing here.
    if (!link) throw notFound();
    const { token } = validateBody(SignInLink, body);
    const operator = link.use(token);
    if (!operator) throw operatorUnknown();
    sendAnswer(reply, 200, await this.begun(reply, operator));
  }

  /** A browser goes back to the console, which says what came of the sign-in. Throws the refusal to others. */
  private refuse(http: FastifyRequest, reply: FastifyReply, error: unknown): undefined {
    const isAway = error instanceof IdentityProviderAway;
    if (!this.goesOn(http) || !(isAway || error instanceof NotProved)) throw refusalOf(error);
    void reply
      .code(303)
      .header('location', `${CONSOLE_ROOT}/?sign_in=${isAway ? 'away' : 'refused'}`)
      .send();
  }

  /** A page is asked for, and there is one. */
  private goesOn({ headers: { accept = '' } }: FastifyRequest): boolean {
    return this.parts.hasConsole && accept.includes('text/html');
  }

  /**
   * Sends the cookie of a session, and returns what it is. A browser that comes back from another site sends no strict cookie along,
   * and the page of the console needs none: its calls come from the console.
   */
  private async begun(reply: FastifyReply, operator: Operator): Promise<ReturnType<typeof sessionAnswer>> {
    const { sessions, clock } = this.parts;
    const { secret: value, session } = await sessions.begin(operator);
    const maxAgeMs = session.endsAt.getTime() - clock.now().getTime();
    const cookies = [setCookie(SESSION_COOKIE, { value, maxAgeMs, sameSite: 'Strict' }), removedCookie(SIGN_IN_COOKIE)];
    void reply.header('set-cookie', cookies);
    return sessionAnswer({ ...operator, session });
  }
}
