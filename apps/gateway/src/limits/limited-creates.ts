import { expectRoom } from '@opendsr-service/edge';
import type { Clock } from '@opendsr-service/runtime';
import type { WorkspaceBudget } from '@opendsr-service/workspaces';
import type { FastifyReply, FastifyRequest } from 'fastify';

const CREATED = 201;

/**
 * The number of requests that a workspace may create in a day. One is taken before the body is read, since 429 stands before 415, 413 and
 * 400, and put back when the answer is no 201: only what was created counts.
 */
export class LimitedCreates {
  private readonly taken = new WeakMap<FastifyRequest, { readonly ws: string; readonly atMs: number }>();

  constructor(
    private readonly budget: WorkspaceBudget,
    private readonly clock: Clock,
  ) {}

  async take(http: FastifyRequest, ws: string): Promise<void> {
    const atMs = this.clock.now().getTime();
    expectRoom(await this.budget.take(ws));
    this.taken.set(http, { ws, atMs });
    if (http.raw.destroyed) await this.giveBack(http);
  }

  /** Call it with every answer when it is given, also where nobody is left to take it: then the request was created all the same. */
  async settle(http: FastifyRequest, reply: FastifyReply): Promise<void> {
    if (reply.statusCode !== CREATED) await this.giveBack(http);
  }

  /** Call it at the end of a connection or answer, however it came: a body that is not whole by then is never read, and has no answer of the routes. */
  async end(http: FastifyRequest): Promise<void> {
    if (!http.raw.complete) await this.giveBack(http);
  }

  private async giveBack(http: FastifyRequest): Promise<void> {
    const taken = this.taken.get(http);
    if (this.taken.delete(http) && taken) await this.budget.giveBack(taken.ws, taken.atMs);
  }
}
