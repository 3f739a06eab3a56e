import {
  DOMAIN_NAME,
  IDENTITY_TYPES,
  PARTICIPANTS,
  PARTICIPANT_NAME,
  REQUEST_TYPES,
  type IdentityTypeName,
} from '@opendsr-service/contracts';
import { matching, required, someOf, UsageError } from '../options';

const MAX_TEXT_CHARS = 256;
const OUR_OWN: readonly string[] = Object.values(PARTICIPANTS);
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export const workspace = required('W', matching(/^[^\s:]{1,128}$/, 'the name of a workspace'));
const participantName = matching(PARTICIPANT_NAME, 'at most 63 lower-case letters, digits and hyphens, such as crm');
export const name = required('NAME', participantName);
/** An outside participant: our own services can be neither replaced nor waived. */
export const outsideName = required('NAME', (text) => {
  if (OUR_OWN.includes(text))
    throw new UsageError(`must be an outside participant: ${text} is our own service and always takes part`);
  return participantName(text);
});
export const domain = required('DOMAIN', matching(DOMAIN_NAME, 'a domain name in lower case, such as crm.example.com'));
export const types = required('access,portability,erasure', someOf(REQUEST_TYPES));
export const identityTypes = someOf(Object.keys(IDENTITY_TYPES) as IdentityTypeName[]);
/** A request's id in lower case, as in keys and paths. */
export const srid = required('ID', (text) => matching(UUID, 'the id of a request, a UUID')(text).toLowerCase());

/** A line of a report: 1 to 256 characters. Empty options are refused elsewhere. */
export const line = (text: string): string => {
  if (text.length > MAX_TEXT_CHARS) throw new UsageError(`must be at most ${MAX_TEXT_CHARS} characters`);
  return matching(/^\P{Cc}*$/u, 'one line')(text);
};
