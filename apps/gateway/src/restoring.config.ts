import type { RestorePlan } from '@opendsr-service/replay';
import { foldTombstones, type Vault } from '@opendsr-service/vault';
import { RequestKeysStore } from './keys/request-keys.store';

/** Admissions and ledger follow from the log, so their group is not rewound. The transparency log reads by itself what a copy lacks. */
export const restoring: RestorePlan<Vault> = {
  foldTombstones: ({ connection, events }) =>
    foldTombstones(events, connection, (tombstones) => new RequestKeysStore(connection, 0).applyTombstones(tombstones)),
  rewoundGroups: [],
  sealed: [{ collection: 'requests', holds: 'sealed' }],
};
