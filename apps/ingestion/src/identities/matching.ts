import { isDeviceIdentity, type IdentityTypeName } from '@opendsr-service/contracts';

export interface SubjectRef {
  readonly mpid: string;
  readonly kid: string;
}

export interface ProfileLink {
  readonly mpid: string;
  readonly identityType: IdentityTypeName;
}

export interface MatchingRules {
  readonly devicesMatch: boolean;
  readonly hasLogin: (mpid: string) => boolean;
  /** The public key alone asserted the identities of the profile. */
  readonly isUnverified: (mpid: string) => boolean;
}

/**
 * Protocol, "Profile matching". A device may have had several users, so it matches only a profile without login
 * identity, unless the workspace chose otherwise. An mpid does not match an unverified profile with a login identity:
 * every caller that names that identity gets its mpid (decision 18).
 */
export function matchProfiles(
  links: readonly ProfileLink[],
  { devicesMatch, hasLogin, isUnverified }: MatchingRules,
): string[] {
  const isFollowed = ({ mpid, identityType }: ProfileLink): boolean => {
    if (identityType === 'mpid') return !(isUnverified(mpid) && hasLogin(mpid));
    return !isDeviceIdentity(identityType) || devicesMatch || !hasLogin(mpid);
  };
  return [...new Set(links.filter(isFollowed).map(({ mpid }) => mpid))].sort();
}
