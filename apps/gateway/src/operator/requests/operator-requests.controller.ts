import { Get, Inject, Param, Query, Res } from '@nestjs/common';
import { badRequest, invalid } from '@opendsr-service/edge';
import type { Clock } from '@opendsr-service/service';
import type { FastifyReply } from 'fastify';
import { requestId } from '../../http/request-id';
import { Needs, OperatorController } from '../access/needs';
import { Caller, type OperatorCaller } from '../access/operator-caller';
import { sendTagged, sendTaggedPage } from '../lists/if-match';
import { parsePage, type QueryParameters } from '../lists/query-reader';
import { OPERATOR_CLOCK } from '../operator-clock';
import { callbackPage, callbackPlace, CALLBACKS } from './callback-list';
import { parseListQuery } from './list-query';
import { OperatorRequests } from './operator-requests';
import { allCallbacks, callbacksAnswer, listAnswer, storyAnswer } from './request-answers';

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
  async list(@Caller() operator: OperatorCaller, @Query() parameters: QueryParameters): Promise<object> {
    const query = parseListQuery(parameters, this.clock.now());
    return listAnswer(await this.requests.list(operator, query), query.order, this.clock.now());
  }

  @Get('request-counts')
  @Needs('read')
  async count(@Caller() operator: OperatorCaller, @Query('workspace') workspace: unknown): Promise<object> {
    if (workspace !== undefined && typeof workspace !== 'string')
      throw badRequest([invalid('workspace must be given once.')]);
    return this.requests.count(operator, workspace);
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
    @Query() parameters: QueryParameters,
  ): Promise<void> {
    const wanted = parsePage(parameters, CALLBACKS, callbackPlace);
    const all = await this.requests.callbacks(ws, requestId(srid));
    sendTaggedPage(reply, callbacksAnswer(callbackPage(all, wanted)), allCallbacks(all));
  }
}
