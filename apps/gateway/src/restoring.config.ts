import type { Restoring } from '@opendsr-service/runtime';
import { foldTombstones, type Vault } from '@opendsr-service/vault';
import { RequestKeysStore } from './keys/request-keys.store';

/** Its admissions and its ledger follow from the log, so that its group need not begin anew. */
export const restoring: Restoring<Vault> = {
  forget: ({ connection, events }) =>
    foldTombstones(events, connection, (tombstones) => new RequestKeysStore(connection, 0).applyTombstones(tombstones)),
  rewound: [],
  sealed: [{ collection: 'requests', holds: 'sealed' }],
};
