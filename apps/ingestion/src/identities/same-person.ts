import { identityRank, isDeviceIdentity, type Identity, type IdentityTypeName } from '@opendsr-service/contracts';

/** The login types of a call that rank above the type by which the call names a profile. */
export const loginsAbove = (type: IdentityTypeName, named: readonly Identity[]): ReadonlySet<IdentityTypeName> =>
  new Set(
    named
      .map((identity) => identity.type)
      .filter((other) => !isDeviceIdentity(other) && identityRank(other) < identityRank(type)),
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
