import { isDeviceIdentity, type IdentityTypeName } from '@opendsr-service/contracts';

/** Whom a request is about: the profile, and the key that everything of it is sealed under. */
export interface SubjectRef {
  readonly mpid: string;
  readonly kid: string;
}

/** A profile that one identity of a request leads to. */
export interface ProfileLink {
  readonly mpid: string;
  readonly identityType: IdentityTypeName;
}

/** What decides whether a lead is followed. */
export interface MatchingRules {
  /** Whether the workspace lets devices reach profiles that have a login identity. */
  readonly devicesMatch: boolean;
  readonly hasLogin: (mpid: string) => boolean;
  /** Whether the public key alone asserted whose the profile is. */
  readonly isUnverified: (mpid: string) => boolean;
}

/**
 * Whose profiles a request reaches (protocol, "Profile matching"). A login identity reaches its profile. A device may pass through
 * several hands, so device identities reach only a profile without any login identity, unless the workspace chose otherwise. An mpid
 * reaches its profile, but not the unverified one of a login identity: its mpid is told to everybody who names that identity (decision 18).
 */
export function matchProfiles(
  leads: readonly ProfileLink[],
  { devicesMatch, hasLogin, isUnverified }: MatchingRules,
): string[] {
  const isFollowed = ({ mpid, identityType }: ProfileLink): boolean => {
    if (identityType === 'mpid') return !(isUnverified(mpid) && hasLogin(mpid));
    return !isDeviceIdentity(identityType) || devicesMatch || !hasLogin(mpid);
  };
  return [...new Set(leads.filter(isFollowed).map(({ mpid }) => mpid))].sort();
}
