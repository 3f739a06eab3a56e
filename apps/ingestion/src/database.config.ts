import { ParkedStore } from '@opendsr-service/messaging';
import type { ServiceDatabase } from '@opendsr-service/service';
import type { Connection } from 'mongoose';
import { ErasuresStore } from './erasure/erasures.store';
import { ErasedIdentitiesStore } from './identities/erased-identities.store';
import { ErasureLinks } from './identities/erasure-links.store';
import { IdentitiesStore } from './identities/identities.store';
import { IdentityLocks } from './identities/identity-locks.store';
import { BatchesStore } from './profiles/batches.store';
import { ProfilesStore } from './profiles/profiles.store';
import { SignaturesStore } from './intake/signatures.store';
import { SourceRequestsStore } from './profiles/source-requests.store';

export const collectionsOn = (connection: Connection) => ({
  identities: new IdentitiesStore(connection),
  locks: new IdentityLocks(connection),
  profiles: new ProfilesStore(connection),
  erased: new ErasedIdentitiesStore(connection),
  links: new ErasureLinks(connection),
  batches: new BatchesStore(connection),
  sourceRequests: new SourceRequestsStore(connection),
  signatures: new SignaturesStore(connection),
  erasures: new ErasuresStore(connection),
  parked: new ParkedStore(connection),
});

export type IngestionCollections = ReturnType<typeof collectionsOn>;

export const database: ServiceDatabase = {
  name: 'ingestion',
  models: (connection) => void collectionsOn(connection),
};
