import { isNetwork } from '@opendsr-service/edge';
import { file, list, port, text, url } from './parsers';
import type { Fallback, Profile, Values } from './setting';

const localAddress = (port: unknown): string => `http://localhost:${typeof port === 'number' ? port : 8080}`;
const ownAddress: Fallback<string> = { from: ({ PORT }) => localAddress(PORT), shown: () => 'http://localhost:PORT' };
const ownAddressV1: Fallback<string> = { from: ({ PORT, PORT_V1 }) => localAddress(PORT_V1 ?? PORT), shown: () => 'http://localhost:PORT_V1, or PORT where that is not set' };

/** How controllers reach the service: each version at its own address, or both at one. They stand behind the port. */
export const publicUrlSettings = {
  PORT_V1: port({ meaning: 'A further public port, for version 1 alone, which then does not answer on PORT. By default both versions do. Unused where SERVE_V1 is false.' }),
  PUBLIC_URL_V2: url({ default: ownAddress, meaning: 'What discovery and results links of version 2 build on.' }),
  PUBLIC_URL_V1: url({ default: ownAddressV1, meaning: 'The same of version 1.' }),
  CERT_URL_V2: url({ meaning: 'Where the certificate of version 2 is published, as opendsr.pem; by default under PUBLIC_URL_V2.' }),
  CERT_URL_V1: url({ meaning: 'Where the certificate of version 1 is published, as opengdpr.pem; by default under PUBLIC_URL_V1.' }),
} as const;

/** Faults of the ports: no two listeners share one. 0 is a free one each time. */
export const checkPortV1 = ({ PORT, ADMIN_PORT, PORT_V1 }: { readonly PORT: number; readonly ADMIN_PORT: number; readonly PORT_V1: number | undefined }): string[] =>
  PORT_V1 !== undefined && PORT_V1 !== 0 && [PORT, ADMIN_PORT].includes(PORT_V1) ? ['PORT_V1: must differ from PORT and ADMIN_PORT'] : [];

/** Where the gateway finds results, and results finds ingestion. In-process in standalone. */
export const resultsUrlSettings = { RESULTS_URL: url({ meaning: 'Admin address of the results service.' }) } as const;
export const ingestionUrlSettings = { INGESTION_URL: url({ meaning: 'Admin address of the ingestion service.' }) } as const;

/** Where callbacks may go beside public addresses. */
export const egressSettings = {
  CALLBACK_ALLOW_HOSTS: list({ meaning: 'Hosts that callbacks may reach though they would be refused: names of the own network, private and loopback addresses; also without TLS (http:).' }, /^[A-Za-z0-9.:[\]-]+$/, 'a host name or address'),
  CALLBACK_ALLOW_CIDRS: list({ meaning: 'Address ranges that callbacks may reach though they would be refused.' }, isNetwork, 'an address, or a range such as 10.0.0.0/8'),
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
