import type { RestorePlan } from '@opendsr-service/replay';
import { foldTombstones, type Vault } from '@opendsr-service/vault';
import { collectionsOn } from './database.config';
import { Removal } from './erasure/removal';

/** The log restores the attributes, batches and erasures that the copy lacks. */
export const restoring: RestorePlan<Vault> = {
  foldTombstones: ({ connection, events, vault, clock }) => {
    const removal = new Removal(collectionsOn(connection), vault, clock);
    return foldTombstones(events, { connection, key: vault.tombstoneKey }, (tombstones) => removal.replay(tombstones));
  },
  rewoundGroups: ['ingestion-data', 'ingestion-requests'],
  sealed: [{ collection: 'profiles', unless: 'precluded' }],
};
