import type { Projection, Restoring } from '@opendsr-service/runtime';
import { foldTombstones, type Vault } from '@opendsr-service/vault';
import { ledgerProjection } from './callbacks/ledger.projection';
import { admissionsProjection } from './projection/admissions.projection';
import { checkGateway, gatewayTable } from './gateway.config';
import { RequestKeysStore } from './keys/request-keys.store';

export { database } from './database.config';

/** What follows from the log. */
export const projections: readonly Projection[] = [admissionsProjection, ledgerProjection];

/** What this service reads of the environment as a process of its own, for tools that say whether it can start. */
export const configuration = { table: gatewayTable, check: checkGateway };

/** Its admissions and its ledger follow from the log, so that its group need not begin anew. */
export const restoring: Restoring<Vault> = {
  forget: ({ connection, events }) => foldTombstones(events, connection, (tombstones) => new RequestKeysStore(connection, 0).applyTombstones(tombstones)),
  rewound: [],
  sealed: [{ collection: 'requests', holds: 'sealed' }],
};

export { factsOf, identitiesOf } from './requests/request-facts.store';
