import type { Clock } from '@opendsr-service/service';
import type { Vault } from '@opendsr-service/vault';
import type { Connection } from 'mongoose';
import { collectionsOn } from './database.config';
import { Removal } from './erasure/removal';
import type { AfterErasureCounts } from './identities/after-erasure';
import type { IdentityLimit } from './identities/identity-limit';
import { SubjectMatcher } from './identities/subject-matcher';
import { ProfileMatcher } from './identities/profile-matcher';
import { Subjects } from './identities/subjects.store';
import { UnverifiedSubjects } from './identities/unverified-subjects.store';

export type IngestionStores = ReturnType<typeof storesOn>;

interface CallRules {
  readonly afterErasure: AfterErasureCounts;
  readonly identityLimit: IdentityLimit;
}

export function storesOn(
  connection: Connection,
  vault: Vault,
  clock: Clock,
  { afterErasure, identityLimit }: CallRules,
) {
  const kept = { identityLimit, ...collectionsOn(connection) };
  return {
    ...kept,
    subjects: new Subjects(kept, vault, clock, afterErasure),
    unverifiedSubjects: new UnverifiedSubjects(kept, vault, clock, afterErasure),
    matcher: new ProfileMatcher(kept, new SubjectMatcher(kept, vault)),
    removal: new Removal(kept, vault, clock),
  };
}
