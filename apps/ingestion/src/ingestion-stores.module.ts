import type { Clock } from '@opendsr-service/service';
import type { Vault } from '@opendsr-service/vault';
import type { Connection } from 'mongoose';
import { ErasuresStore } from './erasure/erasures.store';
import { Removal } from './erasure/removal';
import type { PolicyCounter } from './identities/after-erasure';
import { ErasedIdentitiesStore } from './identities/erased-identities.store';
import { ErasureLinks } from './identities/erasure-links.store';
import { IdentitiesStore } from './identities/identities.store';
import type { IdentityLimit } from './identities/identity-limit';
import { IdentityLocks } from './identities/identity-locks.store';
import { SubjectMatcher } from './identities/subject-matcher';
import { ProfileMatcher } from './identities/profile-matcher';
import { Subjects } from './identities/subjects.store';
import { UnverifiedSubjects } from './identities/unverified-subjects.store';
import { SignaturesStore } from './intake/signatures.store';
import { BatchesStore } from './profiles/batches.store';
import { ProfilesStore } from './profiles/profiles.store';
import { SourceRequestsStore } from './profiles/source-requests.store';

export type IngestionStores = ReturnType<typeof storesOn>;

interface CallRules {
  readonly afterErasure: PolicyCounter;
  readonly identityLimit: IdentityLimit;
}

export function storesOn(
  connection: Connection,
  vault: Vault,
  clock: Clock,
  { afterErasure, identityLimit }: CallRules,
) {
  const kept = {
    identityLimit,
    identities: new IdentitiesStore(connection),
    locks: new IdentityLocks(connection),
    profiles: new ProfilesStore(connection),
    erased: new ErasedIdentitiesStore(connection),
    links: new ErasureLinks(connection),
    batches: new BatchesStore(connection),
    sourceRequests: new SourceRequestsStore(connection),
    signatures: new SignaturesStore(connection),
    erasures: new ErasuresStore(connection),
  };
  const subjects = new Subjects(kept, vault, clock, afterErasure);
  return {
    ...kept,
    subjects,
    unverifiedSubjects: new UnverifiedSubjects(kept, vault, clock, afterErasure),
    matcher: new ProfileMatcher(kept, new SubjectMatcher(kept, vault)),
    removal: new Removal(kept, vault, clock),
  };
}
