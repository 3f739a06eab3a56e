import { Get, Inject, Query } from '@nestjs/common';
import { Needs, OperatorController } from '../access/needs';
import { Caller, type OperatorCaller } from '../access/operator-caller';
import { readQuery, type QueryParameters } from '../lists/query-reader';
import { OperatorOverview } from './operator-overview';

/** How the service does. */
@OperatorController()
export class OperatorOverviewController {
  constructor(@Inject(OperatorOverview) private readonly overview: OperatorOverview) {}

  @Get('overview')
  @Needs('read')
  read(@Caller() operator: OperatorCaller, @Query() parameters: QueryParameters): Promise<object> {
    const workspace = readQuery(parameters, (reader) => reader.text('workspace'));
    return this.overview.read(operator, workspace);
  }
}
