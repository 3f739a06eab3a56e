import { expectRoom } from '@opendsr-service/edge';
import type { Token, WorkspaceBudget } from '@opendsr-service/workspaces';
import type { FastifyReply, FastifyRequest } from 'fastify';

const CREATED = 201;

/**
 * Takes a token of the daily creates before the body is read, since 429 precedes 400, 413 and 415. Returns it unless
 * the answer is 201. No answer waits for that.
 */
export class CreateTokens {
  private readonly taken = new WeakMap<FastifyRequest, Token>();

  constructor(private readonly budget: WorkspaceBudget) {}

  async takeToken(http: FastifyRequest, ws: string): Promise<void> {
    const { waitMs, token } = await this.budget.takeToken(ws);
    expectRoom(waitMs);
    if (token) this.taken.set(http, token);
    if (http.raw.destroyed) this.returnToken(http);
  }

  /** Call it with every answer, even to a closed connection: the request was created all the same. */
  onAnswer(http: FastifyRequest, reply: FastifyReply): void {
    if (reply.statusCode !== CREATED) this.returnToken(http);
  }

  /** Call it when the connection or answer ends: an incomplete body never reaches the routes. */
  onEnd(http: FastifyRequest): void {
    if (!http.raw.complete) this.returnToken(http);
  }

  private returnToken(http: FastifyRequest): void {
    const token = this.taken.get(http);
    if (this.taken.delete(http) && token) this.budget.returnToken(token);
  }
}
