import type { AfterErasurePolicy, Identity } from '@opendsr-service/contracts';
import type { DataKey } from '@opendsr-service/vault';

/** `ownedIdentities`: those of the call that belong to the profile. */
export interface Subject {
  readonly mpid: string;
  readonly key: DataKey;
  readonly ownedIdentities: readonly Identity[];
}

/** The answer to a dropped call by the public key alone. It is stable, so that it does not reveal an erasure. */
export type DecoySubject = Omit<Subject, 'key'>;

export interface NamedSubject {
  readonly mpid?: string;
  readonly ranked: readonly Identity[];
}

export type Refusal = 'dropped' | 'rejected';

/** `to` alone adds, `from` alone removes, both replace. */
export interface IdentityChange {
  readonly from?: Identity;
  readonly to?: Identity;
}

/** `change` counts from 0. */
export interface RefusedChange {
  readonly change: number;
  readonly reason: 'not-owned' | 'owned-by-another' | 'too-many';
}

/** All changes were made, or none. A dropped call makes none and is `done`. */
export type Modified = 'done' | 'unknown-profile' | 'rejected' | { readonly refused: readonly RefusedChange[] };

/** The deciding identity is first. Writing methods throw ProfileFull, or a 503 ApiError if no owner could be assigned in time. */
export interface SubjectResolver {
  /** The profile of the identities, created if none has an owner. Identities without owner are added to it. */
  identify(
    ws: string,
    ranked: readonly Identity[],
    policy: AfterErasurePolicy,
  ): Promise<Subject | DecoySubject | Refusal>;
  /** The profile of a subject who uses these devices without login, created if there is none. */
  identifyAnonymous(
    ws: string,
    devices: readonly Identity[],
    policy: AfterErasurePolicy,
  ): Promise<Subject | DecoySubject | Refusal>;
  /** The owner of the identities or the mpid. Undefined: the mpid is unknown and there are no identities. */
  resolveOwner(ws: string, named: NamedSubject, policy: AfterErasurePolicy): Promise<Subject | Refusal | undefined>;
  modify(ws: string, mpid: string, changes: readonly IdentityChange[], policy: AfterErasurePolicy): Promise<Modified>;
}

export interface VerifiedSubjectResolver extends SubjectResolver {
  search(ws: string, ranked: readonly Identity[]): Promise<Subject | undefined>;
}

/** Verified: asserted by a caller that proved itself. Unverified: by the public key alone (decision 18). */
export type TrustLevel = 'verified' | 'unverified';

export interface SubjectResolvers {
  readonly verified: VerifiedSubjectResolver;
  readonly unverified: SubjectResolver;
}
