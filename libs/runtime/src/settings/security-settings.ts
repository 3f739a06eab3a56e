import { file, text } from './parsers';
import type { Profile, Values } from './setting';

/** A file holding the key that wraps all others; apps that seal or open personal data have it. */
export const masterKeySettings = {
  MASTER_KEY_FILE: file({ meaning: 'Holds the master key, 32 bytes. The sandbox makes its own in DATA_DIR.' }),
} as const;

/** What answers and callbacks are signed with. */
export const signingSettings = {
  PROCESSOR_DOMAIN_V2: text({ default: 'opendsr.localhost', meaning: 'Domain header, certificate name and extension key of version 2.' }, /^[a-z0-9.-]{1,253}$/, 'a domain name in lower case'),
  PROCESSOR_DOMAIN_V1: text({ default: 'opengdpr.localhost', meaning: 'The same of version 1; the sandbox makes a certificate for it.' }, /^[a-z0-9.-]{1,253}$/, 'a domain name in lower case'),
  SIGNING_KEY_FILE_V2: file({ meaning: 'RSA private key of version 2, PEM. The sandbox makes its own in DATA_DIR.' }),
  SIGNING_CHAIN_FILE_V2: file({ meaning: 'Certificate of version 2, then its intermediates, PEM.' }),
} as const;

/** What the services show each other on internal routes. */
export const internalTokenSettings = {
  INTERNAL_TOKEN_FILE: file({ meaning: 'Holds the token that the services show each other. In standalone they need none.' }),
} as const;

const inProduction = (values: { readonly TIMING_PROFILE: Profile }): boolean => values.TIMING_PROFILE === 'production';
const required = (name: string): string => `${name}: must be set in the production profile`;

export const checkMasterKey = (values: Values<typeof masterKeySettings> & { readonly TIMING_PROFILE: Profile }): string[] =>
  inProduction(values) && values.MASTER_KEY_FILE === undefined ? [required('MASTER_KEY_FILE')] : [];

/** Faults of the signing settings: key and chain belong together, and production makes none by itself. */
export function checkSigning(values: Values<typeof signingSettings> & { readonly TIMING_PROFILE: Profile }): string[] {
  const { SIGNING_KEY_FILE_V2: key, SIGNING_CHAIN_FILE_V2: chain } = values;
  if ((key === undefined) !== (chain === undefined)) return ['SIGNING_KEY_FILE_V2 and SIGNING_CHAIN_FILE_V2: set both, or neither'];
  return key === undefined && inProduction(values) ? [required('SIGNING_KEY_FILE_V2 and SIGNING_CHAIN_FILE_V2')] : [];
}
