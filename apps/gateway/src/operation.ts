import type { Projection } from '@opendsr-service/replay';
import { ledgerProjection } from './callbacks/ledger.projection';
import { admissionsProjection } from './projection/admissions.config';
import { checkGateway, gatewayTable } from './gateway.config';

export { database } from './database.config';

export const projections: readonly Projection[] = [admissionsProjection, ledgerProjection];

export const configuration = { table: gatewayTable, check: checkGateway };

export { extendDeadlineOf } from './admin/deadlines.store';
export { factsOf, identitiesOf } from './admin/request-facts.store';
export { waiveFor } from './admin/waivers.store';

export { auditedOf } from './admin/audited-evidence.store';
export { auditedLeaf } from './evidence/audited-leaves';
export {
  attestationsOf,
  receiptsOf,
  type AttestationEvidence,
  type ReceiptEvidence,
  type RequestEnd,
} from './admin/evidence-facts.store';

export { witnessFactsOf } from './admin/witness-facts.store';

export { addEntry, type ToolAction } from './participants/operator-audit.store';

export { dueRequests } from './operator/requests/due-requests.store';
export { recordsOf } from './operator/records/all-records.store';

export { restoring } from './restoring.config';
