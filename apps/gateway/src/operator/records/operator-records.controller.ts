import { Get, Inject, Param, Query } from '@nestjs/common';
import { requestId } from '../../http/request-id';
import { OPERATOR_ROOT } from '../../versions/operator-paths';
import { Needs, OperatorController } from '../access/needs';
import { readQuery, type QueryParameters } from '../lists/query-reader';
import { recordsAnswer } from './records-answer';
import { RECORDS, recordsPlace, RequestRecords } from './request-records';

type RequestPath = Readonly<Record<'ws' | 'srid', string>>;

/** The records of a request on the event log. */
@OperatorController(`${OPERATOR_ROOT}/requests/:ws/:srid`)
export class OperatorRecordsController {
  constructor(@Inject(RequestRecords) private readonly records: RequestRecords) {}

  @Get('records')
  @Needs('read')
  async list(@Param() { ws, srid }: RequestPath, @Query() parameters: QueryParameters): Promise<object> {
    const page = readQuery(parameters, (reader) => ({
      ...reader.page(RECORDS, recordsPlace),
      from: reader.time('from'),
    }));
    return recordsAnswer(await this.records.page(ws, requestId(srid), page));
  }
}
