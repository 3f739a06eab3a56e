import { ParkedStore } from '@opendsr-service/messaging';
import type { ServiceDatabase } from '@opendsr-service/service';
import { ErasuresStore } from './erasure/erasures.store';
import { ErasedIdentitiesStore } from './identities/erased-identities.store';
import { ErasureLinks } from './identities/erasure-links.store';
import { IdentitiesStore } from './identities/identities.store';
import { IdentityLocks } from './identities/identity-locks.store';
import { BatchesStore } from './profiles/batches.store';
import { ProfilesStore } from './profiles/profiles.store';
import { SignaturesStore } from './intake/signatures.store';
import { SourceRequestsStore } from './profiles/source-requests.store';

const stores = [
  IdentitiesStore,
  IdentityLocks,
  ProfilesStore,
  ErasedIdentitiesStore,
  ErasureLinks,
  BatchesStore,
  SourceRequestsStore,
  SignaturesStore,
  ErasuresStore,
  ParkedStore,
];

export const database: ServiceDatabase = {
  name: 'ingestion',
  models: (connection) => void stores.map((Store) => new Store(connection)),
};
