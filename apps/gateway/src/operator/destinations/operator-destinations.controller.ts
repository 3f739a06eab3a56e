import { Get, Inject, Param, Query } from '@nestjs/common';
import { OPERATOR_ROOT } from '../../versions/operator-paths';
import { Needs, OperatorController } from '../access/needs';
import { Caller, type OperatorCaller } from '../access/operator-caller';
import type { QueryParameters } from '../lists/query-reader';
import { parseDestinationQuery } from './destination-query';
import { OperatorDestinations } from './operator-destinations';

/** The hosts that receive callbacks. */
@OperatorController(`${OPERATOR_ROOT}/destinations`)
export class OperatorDestinationsController {
  constructor(@Inject(OperatorDestinations) private readonly destinations: OperatorDestinations) {}

  @Get()
  @Needs('read')
  list(@Caller() operator: OperatorCaller, @Query() parameters: QueryParameters): Promise<object> {
    return this.destinations.list(operator, parseDestinationQuery(parameters));
  }

  @Get(':ws/:host')
  @Needs('read')
  read(@Param() { ws, host }: Readonly<Record<'ws' | 'host', string>>): Promise<object> {
    return this.destinations.read(ws, host);
  }
}
