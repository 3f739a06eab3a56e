import { file, isCidr, list, text, url } from './parsers';
import type { Fallback, Profile, Values } from './setting';

const ownAddress: Fallback<string> = {
  from: ({ PORT }) => `http://localhost:${typeof PORT === 'number' ? PORT : 8080}`,
  shown: () => 'http://localhost:PORT',
};

/** How controllers reach the service. */
export const publicUrlSettings = {
  PUBLIC_URL_V2: url({ default: ownAddress, meaning: 'What discovery and results links of version 2 build on.' }),
  CERT_URL_V2: url({ meaning: 'Where the certificate of version 2 is published; by default under PUBLIC_URL_V2.' }),
} as const;

/** Where the gateway finds results, and results finds ingestion. In-process in standalone. */
export const resultsUrlSettings = { RESULTS_URL: url({ meaning: 'Admin address of the results service.' }) } as const;
export const ingestionUrlSettings = { INGESTION_URL: url({ meaning: 'Admin address of the ingestion service.' }) } as const;

/** Where callbacks may go beside public addresses. */
export const egressSettings = {
  CALLBACK_ALLOW_HOSTS: list({ meaning: 'Hosts that callbacks may reach though they would be refused: http, private or loopback.' }, /^[A-Za-z0-9.:[\]-]+$/, 'a host name or address'),
  CALLBACK_ALLOW_CIDRS: list({ meaning: 'Address ranges that callbacks may reach though they would be refused.' }, isCidr, 'an address range such as 10.0.0.0/8'),
  CALLBACK_CA_FILE: file({ meaning: 'A further certificate authority for receivers of callbacks, PEM.' }),
} as const;

/** The workspace that the sandbox makes for itself. */
export const sandboxSettings = {
  SANDBOX_KEY: text({ meaning: 'Key of the sandbox workspace; by default made at the first start and kept in DATA_DIR/sandbox-credentials.json.' }),
  SANDBOX_SECRET: text({ meaning: 'Secret of the sandbox workspace; the same.' }),
} as const;

/** Faults of the sandbox's settings: never in production, and never half. */
export function checkSandbox(values: Values<typeof sandboxSettings> & { readonly TIMING_PROFILE: Profile }): string[] {
  const given = [values.SANDBOX_KEY, values.SANDBOX_SECRET].filter((value) => value !== undefined).length;
  if (given > 0 && values.TIMING_PROFILE === 'production') return ['SANDBOX_KEY and SANDBOX_SECRET: refused in the production profile'];
  return given === 1 ? ['SANDBOX_KEY and SANDBOX_SECRET: set both, or neither'] : [];
}
