import { Body, Get, Inject, Param, Post, Query, Req, Res } from '@nestjs/common';
import { BodyOf, notFound, sendAnswer } from '@opendsr-service/edge';
import { SERVICE_NAMES, type ParkedDetail, type ServiceName } from '@opendsr-service/operator-answers';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { OPERATOR_ROOT } from '../../versions/operator-paths';
import { Needs, OperatorController } from '../access/needs';
import { Caller, operatorOf, type OperatorCaller } from '../access/operator-caller';
import { OperatorDecision } from '../decisions/decision.dto';
import { expectUnchanged, sendTagged } from '../lists/if-match';
import type { QueryParameters } from '../lists/query-reader';
import { OperatorParked, type ManyWish, type Wish } from './operator-parked';
import { parseParkedQuery } from './parked-query';
import { ManyRecords } from './many-records.dto';

type RecordPath = Readonly<Record<'service' | 'id', string>>;

/** The parked records of all services. */
@OperatorController(`${OPERATOR_ROOT}/parked`)
export class OperatorParkedController {
  constructor(@Inject(OperatorParked) private readonly parked: OperatorParked) {}

  @Get()
  @Needs('read')
  list(@Caller() operator: OperatorCaller, @Query() parameters: QueryParameters): Promise<object> {
    return this.parked.list(operator, parseParkedQuery(parameters));
  }

  @Get(':service/:id')
  @Needs('read')
  async read(@Req() http: FastifyRequest, @Res() reply: FastifyReply, @Param() path: RecordPath): Promise<void> {
    sendTagged(reply, await this.parked.read(operatorOf(http), serviceOf(path), path.id));
  }

  @Post(':service/redrive')
  @Needs('repair')
  async redriveMany(
    @Req() http: FastifyRequest,
    @Res() reply: FastifyReply,
    @Param() path: RecordPath,
    @Body(new BodyOf(ManyRecords)) body: ManyRecords,
  ): Promise<void> {
    sendAnswer(reply, 202, await this.parked.redriveMany(manyOf(http, path, body)));
  }

  @Post(':service/drop')
  @Needs('repair')
  async dropMany(
    @Req() http: FastifyRequest,
    @Res() reply: FastifyReply,
    @Param() path: RecordPath,
    @Body(new BodyOf(ManyRecords)) body: ManyRecords,
  ): Promise<void> {
    sendAnswer(reply, 200, await this.parked.dropMany(manyOf(http, path, body)));
  }

  @Post(':service/:id/redrive')
  @Needs('repair')
  async redrive(
    @Req() http: FastifyRequest,
    @Res() reply: FastifyReply,
    @Param() path: RecordPath,
    @Body(new BodyOf(OperatorDecision)) body: OperatorDecision,
  ): Promise<void> {
    const record = await this.readUnchanged(http, path);
    sendAnswer(reply, 202, await this.parked.redrive(wishOf(http, body), serviceOf(path), record));
  }

  @Post(':service/:id/drop')
  @Needs('repair')
  async drop(
    @Req() http: FastifyRequest,
    @Res() reply: FastifyReply,
    @Param() path: RecordPath,
    @Body(new BodyOf(OperatorDecision)) body: OperatorDecision,
  ): Promise<void> {
    const record = await this.readUnchanged(http, path);
    sendAnswer(reply, 200, await this.parked.drop(wishOf(http, body), serviceOf(path), record));
  }

  private async readUnchanged(http: FastifyRequest, path: RecordPath): Promise<ParkedDetail> {
    const record = await this.parked.read(operatorOf(http), serviceOf(path), path.id);
    expectUnchanged(http, record);
    return record;
  }
}

function serviceOf({ service }: Pick<RecordPath, 'service'>): ServiceName {
  const known = SERVICE_NAMES.find((name) => name === service);
  if (known === undefined) throw notFound();
  return known;
}

const wishOf = (http: FastifyRequest, { reason }: OperatorDecision): Wish => ({
  ...{ operator: operatorOf(http), reason, requestId: http.id },
});

const manyOf = (http: FastifyRequest, path: RecordPath, body: ManyRecords): ManyWish => ({
  ...wishOf(http, body),
  ...{ service: serviceOf(path), workspace: body.workspace ?? undefined },
  ...{ srid: body.subject_request_id?.toLowerCase(), parkedReason: body.parked_reason ?? undefined },
  ...{ kind: body.kind ?? undefined, key: body.key ?? undefined, cursor: body.cursor ?? undefined },
});
