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
const participantName = matching(PARTICIPANT_NAME, 'at most 63 small letters, digits and hyphens, such as crm');
export const name = required('NAME', participantName);
/** An outside participant: what a service of our own does can neither be done by another nor be left out. */
export const outsideName = required('NAME', (text) => {
  if (OUR_OWN.includes(text))
    throw new UsageError(
      `must be an outside participant: ${text} is a service of our own, which takes part in any case`,
    );
  return participantName(text);
});
export const domain = required(
  'DOMAIN',
  matching(DOMAIN_NAME, 'a domain name in small letters, such as crm.example.com'),
);
export const types = required('access,portability,erasure', someOf(REQUEST_TYPES));
export const identityTypes = someOf(Object.keys(IDENTITY_TYPES) as IdentityTypeName[]);
/** A request's id, as it stands in keys and paths: in small letters. */
export const srid = required('ID', (text) => matching(UUID, 'the id of a request, a UUID')(text).toLowerCase());

/** A line that a report can carry, which takes from 1 to 256 characters; that an option is not empty is seen to for all of them. */
export const line = (text: string): string => {
  if (text.length > MAX_TEXT_CHARS) throw new UsageError(`must be at most ${MAX_TEXT_CHARS} characters`);
  return matching(/^\P{Cc}*$/u, 'one line')(text);
};
