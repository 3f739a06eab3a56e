import type { Projection } from '@opendsr-service/replay';
import { ledgerProjection } from './callbacks/ledger.projection';
import { admissionsProjection } from './projection/admissions.config';
import { checkGateway, gatewayTable } from './gateway.config';

export { database } from './database.config';

export const projections: readonly Projection[] = [admissionsProjection, ledgerProjection];

export const configuration = { table: gatewayTable, check: checkGateway };

export { DeadlinesStore } from './deadlines/deadlines.store';
export { extendDeadline, type ExtensionRefusal } from './deadlines/extend-deadline';
export { findRequest } from './admission/requests-collection.store';
export { waive } from './participants/waive';

export { auditedOf } from './evidence/audited-evidence.store';
export { auditedLeaf } from './evidence/audited-leaves';
export {
  attestationsOf,
  receiptsOf,
  type AttestationEvidence,
  type ReceiptEvidence,
  type RequestEnd,
} from './evidence/request-evidence.store';

export { witnessFactsOf } from './evidence/witness-facts.store';

export type { ToolAction } from './audit/audit-entry';
export { addEntry } from './audit/audit.store';

export { shownAdmission } from './operator/requests/shown-admission.store';
export { identitiesOf } from './operator/reveals/identities.store';
export { dueRequests } from './operator/requests/due-requests.store';
export { recordsOf } from './operator/records/all-records.store';

export { restoring } from './restoring.config';
