import { Body, Get, Inject, Param, Post, Query, Req, Res } from '@nestjs/common';
import { BodyOf, sendAnswer } from '@opendsr-service/edge';
import { roleIn } from '@opendsr-service/operator-access';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { requestId } from '../../http/request-id';
import { IDENTITIES_ROUTE, OPERATOR_ROOT } from '../../versions/operator-paths';
import { Needs, OperatorController } from '../access/needs';
import { Caller, operatorOf, type OperatorCaller } from '../access/operator-caller';
import { reachOf } from '../access/reach';
import { decisionOf } from '../decisions/decision';
import { OperatorDecision } from '../decisions/decision.dto';
import { placeBehind } from '../lists/cursor';
import { readQuery, type QueryParameters } from '../lists/query-reader';
import { OperatorReveals } from './operator-reveals';
import { REVEAL_STATES } from './reveal.document';
import { identifiedAnswer, revealAnswer, revealListAnswer, REVEALS_ORDER } from './reveal-answers';

type Path = Readonly<Record<'ws' | 'srid', string>>;

/** Shows whom requests are about, to whom may see it and says why. */
@OperatorController('')
export class OperatorRevealsController {
  constructor(@Inject(OperatorReveals) private readonly reveals: OperatorReveals) {}

  @Post(IDENTITIES_ROUTE)
  @Needs('reveal')
  async reveal(
    @Req() http: FastifyRequest,
    @Res() reply: FastifyReply,
    @Param() path: Path,
    @Body(new BodyOf(OperatorDecision)) { reason }: OperatorDecision,
  ): Promise<void> {
    const decision = decisionOf(http, path, { reason, permission: 'reveal' });
    const answer = await this.reveals.reveal(decision);
    if ('identified' in answer) sendAnswer(reply, 200, identifiedAnswer(decision, answer.identified));
    else sendAnswer(reply, 202, revealAnswer(await this.reveals.withReason(answer.awaited)));
  }

  @Get(`${OPERATOR_ROOT}/reveals`)
  @Needs('reveal')
  async list(@Caller() operator: OperatorCaller, @Query() parameters: QueryParameters): Promise<object> {
    const { state = 'open', ...page } = readQuery(parameters, (reader) => ({
      state: reader.word('state', REVEAL_STATES),
      ...reader.page(REVEALS_ORDER, placeBehind),
    }));
    const reached = reachOf(operator, undefined, 'reveal');
    const of = { ...page, ...(reached !== 'all' && { workspaces: reached }) };
    return revealListAnswer(await this.reveals.list(state, of), page.limit);
  }

  @Post(`${OPERATOR_ROOT}/reveals/:id/approval`)
  @Needs('reveal')
  async approve(
    @Req() http: FastifyRequest,
    @Res() reply: FastifyReply,
    @Param('id') id: string,
    @Body(new BodyOf(OperatorDecision)) { reason }: OperatorDecision,
  ): Promise<void> {
    const { grants } = operatorOf(http);
    const approved = await this.reveals.approve(requestId(id), (wish) =>
      roleIn(grants, 'reveal', wish.ws) ? decisionOf(http, wish, { reason, permission: 'reveal' }) : undefined,
    );
    sendAnswer(reply, 200, revealAnswer(await this.reveals.withReason(approved)));
  }
}
