import { Get, Inject, Param, Query, Req, Res } from '@nestjs/common';
import { badRequest, invalid, sendAnswer } from '@opendsr-service/edge';
import type { Clock } from '@opendsr-service/service';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { requestId } from '../../http/request-id';
import { Needs, OperatorController } from '../access/needs';
import { operatorOf } from '../access/operator-caller';
import { sendTagged, sendTaggedPage } from '../lists/if-match';
import { parsePage } from '../lists/parse-page';
import { OPERATOR_CLOCK } from '../operator-clock';
import { callbackPage, callbackPlace, CALLBACKS } from './callback-list';
import { parseListQuery } from './list-query';
import { OperatorRequests } from './operator-requests';
import { allCallbacks, callbacksAnswer, countsAnswer, listAnswer, storyAnswer } from './request-answers';

type RequestPath = Readonly<Record<'ws' | 'srid', string>>;

/** Requests as operators see them. */
@OperatorController()
export class OperatorRequestsController {
  constructor(
    @Inject(OperatorRequests) private readonly requests: OperatorRequests,
    @Inject(OPERATOR_CLOCK) private readonly clock: Clock,
  ) {}

  @Get('requests')
  @Needs('read')
  async list(
    @Req() http: FastifyRequest,
    @Res() reply: FastifyReply,
    @Query() parameters: Readonly<Record<string, unknown>>,
  ): Promise<void> {
    const query = parseListQuery(parameters, this.clock.now());
    const page = await this.requests.list(operatorOf(http), query);
    sendAnswer(reply, 200, listAnswer(page, query.order, this.clock.now()));
  }

  @Get('request-counts')
  @Needs('read')
  async count(
    @Req() http: FastifyRequest,
    @Res() reply: FastifyReply,
    @Query('workspace') workspace: unknown,
  ): Promise<void> {
    if (workspace !== undefined && typeof workspace !== 'string')
      throw badRequest([invalid('workspace must be given once.')]);
    sendAnswer(reply, 200, countsAnswer(await this.requests.count(operatorOf(http), workspace)));
  }

  @Get('requests/:ws/:srid')
  @Needs('read')
  async read(@Res() reply: FastifyReply, @Param() { ws, srid }: RequestPath): Promise<void> {
    sendTagged(reply, storyAnswer(await this.requests.read(ws, requestId(srid)), this.clock.now()));
  }

  @Get('requests/:ws/:srid/callbacks')
  @Needs('read')
  async callbacks(
    @Res() reply: FastifyReply,
    @Param() { ws, srid }: RequestPath,
    @Query() parameters: Readonly<Record<string, unknown>>,
  ): Promise<void> {
    const wanted = parsePage(parameters, CALLBACKS, callbackPlace);
    const all = await this.requests.callbacks(ws, requestId(srid));
    sendTaggedPage(reply, callbacksAnswer(callbackPage(all, wanted)), allCallbacks(all));
  }
}
