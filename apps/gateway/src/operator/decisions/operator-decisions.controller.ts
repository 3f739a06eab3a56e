import { Body, Controller, Inject, Param, Post, Req, Res, UseFilters, UseGuards } from '@nestjs/common';
import {
  BodyOf,
  entityTag,
  preconditionFailed,
  preconditionRequired,
  ProblemErrorFilter,
  sendJson,
} from '@opendsr-service/edge';
import type { Clock } from '@opendsr-service/service';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { requestId } from '../../http/request-id';
import { Needs, OperatorGuard } from '../access/needs';
import { OPERATOR_CLOCK } from '../operator-clock';
import { OPERATOR_ROOT } from '../../versions/operator-paths';
import { OperatorRequests } from '../requests/operator-requests';
import { operatorCallbackAnswer, storyAnswer } from '../requests/request-answers';
import { decisionOf } from './decision-of';
import { OperatorDecision } from './decision.dto';
import { OperatorDecisions } from './operator-decisions';

type Path<N extends string = never> = Readonly<Record<'ws' | 'srid' | N, string>>;

/** What operators decide about requests. */
@Controller(`${OPERATOR_ROOT}/requests/:ws/:srid`)
@UseGuards(OperatorGuard)
@UseFilters(ProblemErrorFilter)
export class OperatorDecisionsController {
  constructor(
    @Inject(OperatorDecisions) private readonly decisions: OperatorDecisions,
    @Inject(OperatorRequests) private readonly requests: OperatorRequests,
    @Inject(OPERATOR_CLOCK) private readonly clock: Clock,
  ) {}

  @Post('extension')
  @Needs('decide')
  async extend(
    @Req() http: FastifyRequest,
    @Res() reply: FastifyReply,
    @Param() path: Path,
    @Body(new BodyOf(OperatorDecision)) { reason }: OperatorDecision,
  ): Promise<void> {
    await this.expectUnchanged(http, path);
    await this.decisions.extend(decisionOf(http, path, { reason, permission: 'decide' }));
    await this.sendRequest(reply, path);
  }

  @Post('cancellation')
  @Needs('decide')
  async cancel(
    @Req() http: FastifyRequest,
    @Res() reply: FastifyReply,
    @Param() path: Path,
    @Body(new BodyOf(OperatorDecision)) { reason }: OperatorDecision,
  ): Promise<void> {
    await this.expectUnchanged(http, path);
    await this.decisions.cancel(decisionOf(http, path, { reason, permission: 'decide' }));
    await this.sendRequest(reply, path);
  }

  @Post('participants/:name/waiver')
  @Needs('decide')
  async waive(
    @Req() http: FastifyRequest,
    @Res() reply: FastifyReply,
    @Param() path: Path<'name'>,
    @Body(new BodyOf(OperatorDecision)) { reason }: OperatorDecision,
  ): Promise<void> {
    await this.decisions.waive(decisionOf(http, path, { reason, permission: 'decide' }), path.name);
    await this.sendRequest(reply, path, 202);
  }

  @Post('callbacks/:delivery/replay')
  @Needs('repair')
  async replay(
    @Req() http: FastifyRequest,
    @Res() reply: FastifyReply,
    @Param() path: Path<'delivery'>,
    @Body(new BodyOf(OperatorDecision)) { reason }: OperatorDecision,
  ): Promise<void> {
    const decision = decisionOf(http, path, { reason, permission: 'repair' });
    const replayed = await this.decisions.replay(decision, requestId(path.delivery));
    sendJson(reply, 202, Buffer.from(JSON.stringify(operatorCallbackAnswer(replayed))));
  }

  private async story({ ws, srid }: Path): Promise<Buffer> {
    return Buffer.from(JSON.stringify(storyAnswer(await this.requests.read(ws, requestId(srid)), this.clock.now())));
  }

  /** Compares strongly (RFC 9110, 13.1.1): the caller decides on what it has read. */
  private async expectUnchanged({ headers }: FastifyRequest, path: Path): Promise<void> {
    const tag = entityTag(await this.story(path));
    const given = headers['if-match'];
    if (given === undefined) throw preconditionRequired();
    if (!given.split(',').some((one) => one.trim() === tag)) throw preconditionFailed();
  }

  private async sendRequest(reply: FastifyReply, path: Path, status = 200): Promise<void> {
    const bytes = await this.story(path);
    sendJson(reply, status, bytes, { etag: entityTag(bytes) });
  }
}
