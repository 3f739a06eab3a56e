import type { Identity } from '@opendsr-service/contracts';
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

/** Verified: asserted by a caller that proved itself. Unverified: by the public key alone (decision 18). */
export type TrustLevel = 'verified' | 'unverified';
