import type { AfterErasurePolicy, Identity } from '@opendsr-service/contracts';
import type { DataKey } from '@opendsr-service/vault';

/** Whom the identities of a call stand for. `owned` are those of them that belong to this profile; a call that names none owns none. */
export interface Subject {
  readonly mpid: string;
  readonly key: DataKey;
  readonly ownedIdentities: readonly Identity[];
}

/**
 * What a call by the public key alone is told where the policy drops it: the same each time, as if it had been taken,
 * for who was erased is nobody's business.
 */
export type DecoySubject = Omit<Subject, 'key'>;

/** Whom a batch names. */
export interface NamedSubject {
  readonly mpid?: string;
  readonly ranked: readonly Identity[];
}

/** A call names somebody who was erased, and the workspace takes such data no more: it leaves it out in silence, or says so. */
export type Refusal = 'dropped' | 'rejected';

/** One change of a profile's identities: `to` alone adds, `from` alone takes away, both replace. */
export interface IdentityChange {
  readonly from?: Identity;
  readonly to?: Identity;
}

/** Why a change of identities cannot be made; `change` counts from 0. */
export interface RefusedChange {
  readonly change: number;
  readonly reason: 'not-owned' | 'owned-by-another';
}

/** What became of changes: all were made, or none. Where the policy drops what comes for the erased, none is made and that is `done`. */
export type Modified = 'done' | 'unknown-profile' | 'rejected' | { readonly refused: readonly RefusedChange[] };

/**
 * What the intake needs of the place where identities get their owners. Lists of identities have the deciding one first. What may write
 * throws a 503 ApiError where identities could not be given an owner in time; the caller may try again.
 */
export interface SubjectResolver {
  /** The profile that identities stand for, made if nobody knows any of them; those without owner become its own. */
  identify(
    ws: string,
    ranked: readonly Identity[],
    policy: AfterErasurePolicy,
  ): Promise<Subject | DecoySubject | Refusal>;
  /** The profile of whoever uses these devices without being logged in, made if there is none. */
  identifyAnonymous(
    ws: string,
    devices: readonly Identity[],
    policy: AfterErasurePolicy,
  ): Promise<Subject | DecoySubject | Refusal>;
  /**
   * Whose a batch is: the profile of its mpid, else whom its identities stand for. Undefined: the mpid is nobody's, and no identity is
   * named beside it.
   */
  resolveOwner(ws: string, named: NamedSubject, policy: AfterErasurePolicy): Promise<Subject | Refusal | undefined>;
  /** Changes the identities of a profile, all as named or none. */
  modify(ws: string, mpid: string, changes: readonly IdentityChange[], policy: AfterErasurePolicy): Promise<Modified>;
}

/** The same for callers who have proved themselves. */
export interface VerifiedSubjectResolver extends SubjectResolver {
  /** The profile that identities stand for, where there is one. Writes nothing. */
  search(ws: string, ranked: readonly Identity[]): Promise<Subject | undefined>;
}

/** What a call asserts of identities: verified by whoever proved itself, or unverified, by the public key alone (decision 18). */
export type TrustLevel = 'verified' | 'unverified';

/** Where the identities of calls get their owners, by their standing. */
export interface SubjectResolvers {
  readonly verified: VerifiedSubjectResolver;
  readonly unverified: SubjectResolver;
}
