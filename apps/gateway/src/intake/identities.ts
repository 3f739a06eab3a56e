import { needsExtension, normaliseIdentity, parseMpid, requestIdentityType, type Identity } from '@opendsr-service/contracts';
import { invalid, type Fault } from '@opendsr-service/edge';
import type { ExtensionDto, ExtensionIdentityDto, IdentityDto } from './create-request.dto';

/** The identities of `subject_identities`; what needs the extension is refused and told where it belongs. */
export function subjectIdentities(given: readonly IdentityDto[], extensionKey: string, faults: Fault[]): Identity[] {
  return given.flatMap((identity, n) => {
    const path = `subject_identities[${n}]`;
    const type = requestIdentityType(identity.identity_type);
    if (type && needsExtension(type)) {
      faults.push(invalid(`${path}.identity_type must be given inside extensions.${extensionKey}`));
      return [];
    }
    return readIdentity(identity, path, faults);
  });
}

/** The identities of the own extension: mpids, and types of every kind (interface.md, "Extension"). */
export function extensionIdentities({ mpids, identities }: ExtensionDto, path: string, faults: Fault[]): Identity[] {
  const profiles = (mpids ?? []).flatMap((raw, n) => {
    const value = parseMpid(raw);
    if (value === undefined) faults.push(invalid(`${path}.mpids[${n}] must be a signed 64-bit integer`));
    return value === undefined ? [] : [{ type: 'mpid' as const, value }];
  });
  return [...profiles, ...(identities ?? []).flatMap((identity, n) => readIdentity(identity, `${path}.identities[${n}]`, faults))];
}

function readIdentity({ identity_type, identity_value }: ExtensionIdentityDto, path: string, faults: Fault[]): Identity[] {
  const type = requestIdentityType(identity_type);
  if (!type) {
    faults.push(invalid(`${path}.identity_type must be a known identity type`));
    return [];
  }
  const identity = normaliseIdentity(type, identity_value);
  if (identity) return [identity];
  faults.push(invalid(`${path}.identity_value must be a value of its type`));
  return [];
}
