import { ParkedStore } from '@opendsr-service/messaging';
import type { Restoring, ServiceDatabase } from '@opendsr-service/runtime';
import { foldTombstones, type Vault } from '@opendsr-service/vault';
import { ErasuresStore } from './erasure/erasures.store';
import { ErasedIdentitiesStore } from './identities/erased-identities.store';
import { ErasureLeads } from './identities/erasure-leads.store';
import { IdentitiesStore } from './identities/identities.store';
import { IdentityLocks } from './identities/identity-locks.store';
import { BatchesStore } from './profiles/batches.store';
import { ProfilesStore } from './profiles/profiles.store';
import { SourceRequestsStore } from './profiles/source-requests.store';
import { checkIngestion, ingestionTable } from './ingestion.config';
import { Removal } from './erasure/removal';
import { ReplayedErasures } from './erasure/replayed-erasures';

const stores = [IdentitiesStore, IdentityLocks, ProfilesStore, ErasedIdentitiesStore, ErasureLeads, BatchesStore, SourceRequestsStore, ErasuresStore, ParkedStore];

/** The database of this service, for tools: its name, and the models whose indexes it needs. The stores declare their own. */
export const database: ServiceDatabase = {
  name: 'ingestion',
  models: (connection) => void stores.map((Store) => new Store(connection)),
};

/** What this service reads of the environment as a process of its own, for tools that say whether it can start. */
export const configuration = { table: ingestionTable, check: checkIngestion };

/** Attributes, batches and erasures that the copy lacks are taken in once more, as far as the log keeps them. */
export const restoring: Restoring<Vault> = {
  forget: ({ connection, events, vault, clock }) => {
    const kept = {
      identities: new IdentitiesStore(connection), profiles: new ProfilesStore(connection), batches: new BatchesStore(connection),
      erased: new ErasedIdentitiesStore(connection), leads: new ErasureLeads(connection),
    };
    return foldTombstones(events, connection, (tombstones) => new ReplayedErasures(kept, new Removal(kept, vault, clock)).apply(tombstones));
  },
  rewound: ['ingestion-data', 'ingestion-requests'],
  sealed: [{ collection: 'profiles' }],
};

export { factsOf } from './erasure/request-facts.store';
