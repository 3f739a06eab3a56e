import type { RestorePlan } from '@opendsr-service/replay';
import { foldTombstones, type Vault } from '@opendsr-service/vault';
import { ErasedIdentitiesStore } from './identities/erased-identities.store';
import { IdentitiesStore } from './identities/identities.store';
import { BatchesStore } from './profiles/batches.store';
import { ProfilesStore } from './profiles/profiles.store';
import { Removal } from './erasure/removal';
import { ReplayedErasures } from './erasure/replayed-erasures';

/** The log restores the attributes, batches and erasures that the copy lacks. */
export const restoring: RestorePlan<Vault> = {
  foldTombstones: ({ connection, events, vault, clock }) => {
    const kept = {
      identities: new IdentitiesStore(connection),
      profiles: new ProfilesStore(connection),
      batches: new BatchesStore(connection),
      erased: new ErasedIdentitiesStore(connection),
    };
    return foldTombstones(events, connection, (tombstones) =>
      new ReplayedErasures(kept, new Removal(kept, vault, clock)).apply(tombstones),
    );
  },
  rewoundGroups: ['ingestion-data', 'ingestion-requests'],
  sealed: [{ collection: 'profiles' }],
};
