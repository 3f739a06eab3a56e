import type { Identity } from '@opendsr-service/contracts';
import type { DataKey } from '@opendsr-service/vault';

/** Whom the identities of a call stand for. `owned` are those of them that belong to this profile. */
export interface Subject {
  readonly mpid: string;
  readonly key: DataKey;
  readonly owned: readonly Identity[];
}

/** The identities of a call could not be given an owner in time; the caller may try again. */
export class IdentitiesBusy extends Error {
  override readonly name = 'IdentitiesBusy';
}

/** What the intake needs of the place where identities get their owners. */
export interface FindsSubjects {
  /** The profile that identities, the deciding one first, stand for, made if nobody knows any of them. Throws IdentitiesBusy. */
  identify(ws: string, ranked: readonly Identity[]): Promise<Subject>;
}
