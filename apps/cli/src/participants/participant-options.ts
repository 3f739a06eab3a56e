import { IDENTITY_TYPES, PARTICIPANT_NAME, REQUEST_TYPES, type IdentityTypeName } from '@opendsr-service/contracts';
import { matching, required, someOf, UsageError } from '../options';

const MAX_TEXT_CHARS = 256;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const DOMAIN = /^(?=.{1,253}$)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$/;

export const workspace = required('W', matching(/^[^\s:]{1,128}$/, 'the name of a workspace'));
export const name = required('NAME', matching(PARTICIPANT_NAME, 'at most 63 small letters, digits and hyphens, such as crm'));
export const domain = required('DOMAIN', matching(DOMAIN, 'a domain name in small letters, such as crm.example.com'));
export const types = required('access,portability,erasure', someOf(REQUEST_TYPES));
export const identityTypes = someOf(Object.keys(IDENTITY_TYPES) as IdentityTypeName[]);
/** A request's id, as it stands in keys and paths: in small letters. */
export const srid = required('ID', (text) => matching(UUID, 'the id of a request, a UUID')(text).toLowerCase());

/** A line that a report can carry. */
export const line = (text: string): string => {
  if (text.length > MAX_TEXT_CHARS) throw new UsageError(`must be at most ${MAX_TEXT_CHARS} characters`);
  return matching(/^\P{Cc}*$/u, 'one line')(text);
};

