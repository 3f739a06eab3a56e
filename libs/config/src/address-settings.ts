import { isIPv6 } from 'node:net';
import { egressPolicy, isNetwork, type EgressPolicy } from '@opendsr-service/edge';
import { file, folder, int, list, port, ports, text, timerMs, url } from './parsers';
import type { ComputedDefault, Profile, Values } from './setting';

const localAddress = (port: unknown): string => `http://localhost:${typeof port === 'number' ? port : 8080}`;
const ownAddress: ComputedDefault<string> = {
  compute: ({ PORT }) => localAddress(PORT),
  shown: () => 'http://localhost:PORT',
};
const ownAddressV1: ComputedDefault<string> = {
  compute: ({ PORT, PORT_V1 }) => localAddress(PORT_V1 ?? PORT),
  shown: () => 'http://localhost:PORT_V1, or PORT where that is not set',
};

/** Public addresses: one for each version, or one for both. */
export const publicUrlSettings = {
  PORT_V1: port({
    meaning:
      'A further public port, for version 1 alone, which then does not answer on PORT. By default both ' +
      'versions do. Unused where SERVE_V1 is false.',
  }),
  PUBLIC_URL_V2: url({ default: ownAddress, meaning: 'Base of discovery and results links of version 2.' }),
  PUBLIC_URL_V1: url({ default: ownAddressV1, meaning: 'The same of version 1.' }),
  CERT_URL_V2: url({
    meaning:
      'Where the certificates of version 2 are published, if not under PUBLIC_URL_V2. Each must be ' +
      'there, under the name that dsr certs show prints, before the service signs with it.',
  }),
  CERT_URL_V1: url({ meaning: 'The same of version 1, and PUBLIC_URL_V1.' }),
} as const;

/** Faults of the ports: no two listeners share one. 0 is a free one each time. */
export const checkPortV1 = ({
  PORT,
  ADMIN_PORT,
  PORT_V1,
}: {
  readonly PORT: number;
  readonly ADMIN_PORT: number;
  readonly PORT_V1: number | undefined;
}): string[] =>
  PORT_V1 !== undefined && PORT_V1 !== 0 && [PORT, ADMIN_PORT].includes(PORT_V1)
    ? ['PORT_V1: must differ from PORT and ADMIN_PORT']
    : [];

/** Where the gateway finds results, and results finds ingestion. In-process in standalone. */
export const resultsUrlSettings = { RESULTS_URL: url({ meaning: 'Admin address of the results service.' }) } as const;
export const ingestionUrlSettings = {
  INGESTION_URL: url({ meaning: 'Admin address of the ingestion service.' }),
} as const;

/** No address of a zone: no URL has one. */
const isHost = (text: string): boolean =>
  /^[\w.-]+$/.test(text) || (!text.includes('%') && isIPv6(text.replace(/^\[(.*)\]$/, '$1')));

/** Allowed callback targets besides public addresses; checked at intake and at each connection. */
export const egressSettings = {
  CALLBACK_ALLOW_HOSTS: list(
    {
      meaning:
        'Hosts that callbacks may reach though they would be refused: names of the own network, private ' +
        'and loopback addresses; on any port, also without TLS (http:).',
    },
    isHost,
    'a host name or address, without a port',
  ),
  CALLBACK_ALLOW_CIDRS: list(
    {
      meaning:
        'Address ranges that callbacks may reach though they would be refused; on the ports of CALLBACK_ALLOW_PORTS.',
    },
    isNetwork,
    'an address, or a range such as 10.0.0.0/8',
  ),
  CALLBACK_ALLOW_PORTS: ports({
    default: [443],
    meaning:
      'Ports that callbacks are sent to, at all hosts but those of CALLBACK_ALLOW_HOSTS and, in the sandbox, this machine.',
  }),
} as const;

/** The configured callback targets; the sandbox's receivers are on this machine. */
export const egressPolicyOf = (
  values: Values<typeof egressSettings> & { readonly TIMING_PROFILE: Profile },
): EgressPolicy =>
  egressPolicy({
    hosts: values.CALLBACK_ALLOW_HOSTS,
    cidrs: values.CALLBACK_ALLOW_CIDRS,
    ports: values.CALLBACK_ALLOW_PORTS,
    loopback: values.TIMING_PROFILE === 'sandbox',
  });

const second = 1_000;

/** Part of a header comment, which ends at a parenthesis. */
const CONTACT_URL = /^(?=.{1,256}$)https:\/\/[A-Za-z0-9.-]+(?::\d{1,5})?(?:[/?#][\w.~!$&'*+,;=:@%/?#-]*)?$/;

export const sendingSettings = {
  CALLBACK_CONTACT_URL: text(
    {
      meaning:
        'A page about this service and who runs it, for operators of receivers: each callback names it in its User-Agent.',
    },
    CONTACT_URL,
    'an https address of at most 256 characters, without parentheses',
  ),
  CALLBACK_CA_FILE: file({ meaning: 'A further certificate authority for receivers of callbacks, PEM.' }),
  CALLBACK_CLIENT_CERT_DIR: folder({
    meaning:
      'Client certificates of workspaces for mutual TLS: <workspace>.key ' +
      'and <workspace>.pem, with its chain. Read again when they change.',
  }),
  CALLBACK_CLIENT_CERT_POLL_MS: timerMs({ default: 10 * second, meaning: 'How often these files are checked.' }),
  CALLBACK_CONNECT_TIMEOUT_MS: timerMs({
    default: 5 * second,
    meaning: 'Time limit of a connection, DNS and TLS included; half of it is for DNS.',
  }),
  CALLBACK_HEADERS_TIMEOUT_MS: timerMs({
    default: 10 * second,
    meaning: 'Time limit from the end of a callback to the headers of its response.',
  }),
  CALLBACK_BODY_TIMEOUT_MS: timerMs({
    default: 5 * second,
    meaning: 'Time limit of reading the body of a response. Then the connection is closed; only the status counts.',
  }),
  CALLBACK_TIMEOUT_MS: timerMs({
    default: 15 * second,
    meaning: 'Time limit of one attempt, from DNS to the end of the response.',
  }),
  CALLBACK_ANSWER_LIMIT_BYTES: int({
    default: 65_536,
    min: 1,
    max: 16_777_216,
    meaning: 'Bytes of a response that are read and discarded. Then the connection is closed; only the status counts.',
  }),
} as const;

/** What basic authentication can carry: the first colon ends the key. */
export const sandboxSettings = {
  SANDBOX_KEY: text(
    {
      meaning:
        'Key of the sandbox workspace; by default made at the first start and kept in DATA_DIR/sandbox-credentials.json.',
    },
    /^[^:\p{Cc}]*$/u,
    'text without colons and control characters',
  ),
  SANDBOX_SECRET: text(
    { isSecret: true, meaning: 'Secret of the sandbox workspace; the same.' },
    /^\P{Cc}*$/u,
    'text without control characters',
  ),
} as const;

/** Faults of the sandbox's settings: not allowed in production, and both or none. */
export function checkSandbox(values: Values<typeof sandboxSettings> & { readonly TIMING_PROFILE: Profile }): string[] {
  const given = [values.SANDBOX_KEY, values.SANDBOX_SECRET].filter((value) => value !== undefined).length;
  if (given > 0 && values.TIMING_PROFILE === 'production')
    return ['SANDBOX_KEY and SANDBOX_SECRET: refused in the production profile'];
  return given === 1 ? ['SANDBOX_KEY and SANDBOX_SECRET: set both, or neither'] : [];
}
