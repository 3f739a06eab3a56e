import type { RestorePlan } from '@opendsr-service/replay';
import { foldTombstones, type Vault } from '@opendsr-service/vault';
import { AttestationsStore } from './evidence/attestations.store';
import { bringBackAttestations } from './evidence/evidence-leaves';
import { RequestKeysStore } from './keys/request-keys.store';

/**
 * Admissions and ledger follow from the log, so their group is not rewound. A process reads by itself the leaves that a copy
 * lacks, from its last one on. Before that one the copy may lack attestations: it need not have read both at one moment.
 */
export const restoring: RestorePlan<Vault> = {
  foldTombstones: ({ connection, events, vault }) =>
    foldTombstones(events, { connection, key: vault.tombstoneKey }, (tombstones) =>
      new RequestKeysStore(connection, 0).applyTombstones(tombstones),
    ),
  bringBack: ({ connection, events, vault }) =>
    bringBackAttestations(events, new AttestationsStore(connection), vault.leafKey),
  rewoundGroups: [],
  sealed: [{ collection: 'requests', holds: 'sealed' }],
};
