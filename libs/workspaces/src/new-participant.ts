import {
  DOMAIN_NAME,
  IDENTITY_TYPES,
  PARTICIPANT_NAME,
  REQUEST_TYPES,
  type IdentityTypeName,
  type RequestType,
} from '@opendsr-service/contracts';
import { isBuiltIn } from './report-keys';

/** An outside participant as the operator registers it. */
export interface NewParticipant {
  readonly ws: string;
  readonly name: string;
  readonly domain: string;
  readonly types: readonly RequestType[];
  /** Identities that it may ask for; absent: all. */
  readonly identityTypes?: readonly IdentityTypeName[];
}

export function checkNewParticipant({ name, domain, types, identityTypes }: NewParticipant): void {
  if (!PARTICIPANT_NAME.test(name))
    throw new TypeError(
      'the name of a participant has at most 63 small letters, digits and hyphens, with no hyphen at its ends',
    );
  if (isBuiltIn(name)) throw new TypeError(`${name} is the name of one of our own services`);
  if (!DOMAIN_NAME.test(domain)) throw new TypeError('the domain of a participant is a domain name in small letters');
  if (!isSomeOf(types, REQUEST_TYPES))
    throw new TypeError(`the types of a participant are some of ${REQUEST_TYPES.join(', ')}`);
  if (identityTypes && !isSomeOf(identityTypes, Object.keys(IDENTITY_TYPES)))
    throw new TypeError('the identity types of a participant are some of those of the interface');
}

const isSomeOf = (given: readonly string[], known: readonly string[]): boolean =>
  given.length > 0 && new Set(given).size === given.length && given.every((one) => known.includes(one));
