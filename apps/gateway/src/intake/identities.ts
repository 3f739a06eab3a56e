import {
  isText,
  MAX_IDENTITY_CHARS,
  namesNobody,
  needsExtension,
  normaliseIdentity,
  parseMpid,
  requestIdentityType,
  type Identity,
  type IdentityTypeName,
} from '@opendsr-service/contracts';
import { invalid, type Fault } from '@opendsr-service/edge';
import type { ExtensionDto, ExtensionIdentityDto } from './create-request.dto';
import { fieldsOf, readEach, type Loose } from './loose';

// Adds to the faults of class-validator, so that an answer names all at once.

/** Refuses types that need the extension. */
export function subjectIdentities(given: unknown, extensionKey: string, faults: Fault[]): Identity[] {
  const misplaced = (type: IdentityTypeName) =>
    needsExtension(type) ? `must be given inside extensions.${extensionKey}` : undefined;
  return readEach(given, faults, (element, n) => readIdentity(element, `subject_identities[${n}]`, faults, misplaced));
}

/** See protocol, "Extension". */
export function extensionIdentities(
  { mpids, identities }: Loose<ExtensionDto>,
  path: string,
  faults: Fault[],
): Identity[] {
  const profiles = readEach(mpids, faults, (raw, n): Identity[] => {
    const value = parseMpid(typeof raw === 'string' ? raw.trim() : raw);
    const fault = value === undefined ? 'must be a signed 64-bit integer' : faultOfNobody('mpid', value);
    if (fault !== undefined) faults.push(invalid(`${path}.mpids[${n}] ${fault}`));
    return value === undefined || fault !== undefined ? [] : [{ type: 'mpid', value }];
  });
  return [
    ...profiles,
    ...readEach(identities, faults, (element, n) => readIdentity(element, `${path}.identities[${n}]`, faults)),
  ];
}

function readIdentity(
  element: unknown,
  path: string,
  faults: Fault[],
  faultOf: (type: IdentityTypeName) => string | undefined = () => undefined,
): Identity[] {
  const { identity_type, identity_value } = fieldsOf<ExtensionIdentityDto>(element) ?? {};
  if (typeof identity_type !== 'string') return [];
  const type = requestIdentityType(identity_type);
  const fault = type ? faultOf(type) : 'must be a known identity type';
  if (fault !== undefined) faults.push(invalid(`${path}.identity_type ${fault}`));
  if (!type || !isText(identity_value, 1, MAX_IDENTITY_CHARS)) return [];
  const identity = normaliseIdentity(type, identity_value);
  if (!identity) faults.push(invalid(`${path}.identity_value ${faultOfValue(type, identity_value)}`));
  return identity ? [identity] : [];
}

const faultOfNobody = (type: IdentityTypeName, value: string): string | undefined =>
  namesNobody(type, value) ? 'must be a value of one person: callers write it in place of none' : undefined;

const faultOfValue = (type: IdentityTypeName, value: string): string =>
  faultOfNobody(type, value) ?? 'must be a value of its type';
