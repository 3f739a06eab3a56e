import { expectRoom } from '@opendsr-service/edge';
import type { Token, WorkspaceBudget } from '@opendsr-service/workspaces';
import type { FastifyReply, FastifyRequest } from 'fastify';

const CREATED = 201;

/**
 * The number of requests that a workspace may create in a day. One is taken before the body is read, since 429 stands before 415, 413 and
 * 400, and put back when the answer is no 201: only what was created counts. No answer waits for that.
 */
export class CreateTokens {
  private readonly taken = new WeakMap<FastifyRequest, Token>();

  constructor(private readonly budget: WorkspaceBudget) {}

  async takeToken(http: FastifyRequest, ws: string): Promise<void> {
    const { waitMs, token } = await this.budget.take(ws);
    expectRoom(waitMs);
    if (token) this.taken.set(http, token);
    if (http.raw.destroyed) this.returnToken(http);
  }

  /** Call it with every answer when it is given, also where nobody is left to take it: then the request was created all the same. */
  onAnswer(http: FastifyRequest, reply: FastifyReply): void {
    if (reply.statusCode !== CREATED) this.returnToken(http);
  }

  /** Call it at the end of a connection or answer, however it came: a body that is not whole by then is never read, and has no answer of the routes. */
  onEnd(http: FastifyRequest): void {
    if (!http.raw.complete) this.returnToken(http);
  }

  private returnToken(http: FastifyRequest): void {
    const token = this.taken.get(http);
    if (this.taken.delete(http) && token) this.budget.giveBack(token);
  }
}
