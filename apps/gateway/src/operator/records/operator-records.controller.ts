import { Get, Inject, Param, Query, Res } from '@nestjs/common';
import { sendAnswer } from '@opendsr-service/edge';
import type { FastifyReply } from 'fastify';
import { requestId } from '../../http/request-id';
import { OPERATOR_ROOT } from '../../versions/operator-paths';
import { Needs, OperatorController } from '../access/needs';
import { QueryReader } from '../lists/query-reader';
import { recordsAnswer } from './records-answer';
import { RECORDS, recordsPlace, RequestRecords } from './request-records';

/** The records of a request on the event log. */
@OperatorController(`${OPERATOR_ROOT}/requests/:ws/:srid`)
export class OperatorRecordsController {
  constructor(@Inject(RequestRecords) private readonly records: RequestRecords) {}

  @Get('records')
  @Needs('read')
  async list(
    @Res() reply: FastifyReply,
    @Param() { ws, srid }: Readonly<Record<'ws' | 'srid', string>>,
    @Query() parameters: Readonly<Record<string, unknown>>,
  ): Promise<void> {
    const reader = new QueryReader(parameters, ['limit', 'cursor', 'from']);
    const page = { limit: reader.limit(), after: reader.place(RECORDS, recordsPlace), from: reader.time('from') };
    reader.end();
    sendAnswer(reply, 200, recordsAnswer(await this.records.page(ws, requestId(srid), page)));
  }
}
