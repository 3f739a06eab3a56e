import { identityRank, isDeviceIdentity, type Identity, type IdentityTypeName } from '@opendsr-service/contracts';

/** The login types of a call that decide before the type by which it names a profile. An mpid is what an SDK remembers. */
export const loginsAbove = (type: IdentityTypeName, named: readonly Identity[]): ReadonlySet<IdentityTypeName> =>
  new Set(
    named
      .map((identity) => identity.type)
      .filter((other) => !isDeviceIdentity(other) && (type === 'mpid' || identityRank(other) < identityRank(type))),
  );

/**
 * Protocol, "When two identities meet": whether the owner of a profile, named by an identity of the type, may be
 * another person than the login identities `above` name. A device passes through several hands.
 */
export const mayBeAnothers = (
  { type, above }: { readonly type: IdentityTypeName; readonly above: ReadonlySet<IdentityTypeName> },
  held: readonly IdentityTypeName[],
): boolean =>
  above.size > 0 && held.some((other) => (isDeviceIdentity(type) ? !isDeviceIdentity(other) : above.has(other)));
