import type { Projection } from '@opendsr-service/replay';
import { ledgerProjection } from './callbacks/ledger.projection';
import { admissionsProjection } from './projection/admissions.config';
import { checkGateway, gatewayTable } from './gateway.config';

export { database } from './database.config';

/** What follows from the log. */
export const projections: readonly Projection[] = [admissionsProjection, ledgerProjection];

/** What this service reads of the environment as a process of its own, for tools that say whether it can start. */
export const configuration = { table: gatewayTable, check: checkGateway };

export { factsOf, identitiesOf } from './admin/request-facts.store';

export { restoring } from './restoring.config';
