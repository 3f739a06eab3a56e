import { isDeviceIdentity, type IdentityTypeName } from '@opendsr-service/contracts';

/** Whom a request is about: the profile, and the key that everything of it is sealed under. */
export interface Reached {
  readonly mpid: string;
  readonly kid: string;
}

/** A profile that one identity of a request leads to. */
export interface Lead {
  readonly mpid: string;
  readonly by: IdentityTypeName;
}

/**
 * Whose profiles a request reaches (protocol-notes, "Profile matching"). An mpid and a login identity reach theirs. A device may
 * pass through several hands, so device identities reach only a profile without any login identity.
 */
export function reachedProfiles(leads: readonly Lead[], hasLogin: (mpid: string) => boolean): string[] {
  const reached = leads.filter(({ mpid, by }) => !isDeviceIdentity(by) || !hasLogin(mpid)).map(({ mpid }) => mpid);
  return [...new Set(reached)].sort();
}
