import {
  DOMAIN_NAME,
  IDENTITY_TYPES,
  PARTICIPANT_NAME,
  REQUEST_TYPES,
  type IdentityTypeName,
  type RequestType,
} from '@opendsr-service/contracts';
import { isBuiltIn } from './report-keys';

/** What an operator says of an outside participant. */
export interface NewParticipant {
  readonly ws: string;
  readonly name: string;
  readonly domain: string;
  /** The requests it takes part in; at least one type. */
  readonly types: readonly RequestType[];
  /** What it may ask for about a person; absent: all. */
  readonly identityTypes?: readonly IdentityTypeName[];
}

/** Throws a TypeError that says what cannot be registered so. */
export function checkNewParticipant({ name, domain, types, identityTypes }: NewParticipant): void {
  if (!PARTICIPANT_NAME.test(name))
    throw new TypeError(
      'the name of a participant has at most 63 small letters, digits and hyphens, with no hyphen at its ends',
    );
  if (isBuiltIn(name)) throw new TypeError(`${name} is the name of a service of our own`);
  if (!DOMAIN_NAME.test(domain)) throw new TypeError('the domain of a participant is a domain name in small letters');
  if (!isSomeOf(types, REQUEST_TYPES))
    throw new TypeError(`the types of a participant are some of ${REQUEST_TYPES.join(', ')}`);
  if (identityTypes && !isSomeOf(identityTypes, Object.keys(IDENTITY_TYPES)))
    throw new TypeError('the identity types of a participant are some of those of the interface');
}

const isSomeOf = (given: readonly string[], known: readonly string[]): boolean =>
  given.length > 0 && new Set(given).size === given.length && given.every((one) => known.includes(one));
