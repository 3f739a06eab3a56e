import type { RestorePlan } from '@opendsr-service/replay';
import { foldTombstones, type Vault } from '@opendsr-service/vault';
import { RequestKeysStore } from './keys/request-keys.store';

/** Its admissions and its ledger follow from the log, so that its group need not begin anew. */
export const restoring: RestorePlan<Vault> = {
  foldTombstones: ({ connection, events }) =>
    foldTombstones(events, connection, (tombstones) => new RequestKeysStore(connection, 0).applyTombstones(tombstones)),
  rewoundGroups: [],
  sealed: [{ collection: 'requests', holds: 'sealed' }],
};
