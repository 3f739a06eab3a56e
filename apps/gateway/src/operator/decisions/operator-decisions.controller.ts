import { Body, Inject, Param, Post, Req, Res } from '@nestjs/common';
import { BodyOf, sendAnswer } from '@opendsr-service/edge';
import type { Clock } from '@opendsr-service/service';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { requestId } from '../../http/request-id';
import { Needs, OperatorController } from '../access/needs';
import { OPERATOR_CLOCK } from '../operator-clock';
import { expectUnchanged, sendTagged } from '../lists/if-match';
import { OPERATOR_ROOT } from '../../versions/operator-paths';
import { OperatorRequests } from '../requests/operator-requests';
import { allCallbacks, operatorCallbackAnswer, storyAnswer } from '../requests/request-answers';
import { decisionOf } from './decision';
import { OperatorDecision } from './decision.dto';
import { OperatorDecisions } from './operator-decisions';

type Path<N extends string = never> = Readonly<Record<'ws' | 'srid' | N, string>>;

/** What operators decide about requests. */
@OperatorController(`${OPERATOR_ROOT}/requests/:ws/:srid`)
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
    expectUnchanged(http, await this.story(path));
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
    expectUnchanged(http, await this.story(path));
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
    expectUnchanged(http, await this.story(path));
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
    expectUnchanged(http, allCallbacks(await this.requests.callbacks(decision.ws, decision.srid)));
    const replayed = await this.decisions.replay(decision, requestId(path.delivery));
    sendAnswer(reply, 202, operatorCallbackAnswer(replayed));
  }

  private async story({ ws, srid }: Path): Promise<object> {
    return storyAnswer(await this.requests.read(ws, requestId(srid)), this.clock.now());
  }

  private async sendRequest(reply: FastifyReply, path: Path, status = 200): Promise<void> {
    sendTagged(reply, await this.story(path), status);
  }
}
