import { certificatesOfFile } from './file-contents';
import { bool, durationMs, file, int, isPlainAddress, list, port, text, url } from './parsers';
import type { Profile, Values } from './setting';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const MOST_CALLS = 1_000_000;

/** The roles of operators, the narrowest first. */
export const OPERATOR_ROLES = ['viewer', 'operator', 'officer', 'admin'] as const;

/** `VALUE=ROLE` or `VALUE=ROLE@WORKSPACE`: the value, the role and the workspace. */
export const MAPPED_ROLE = new RegExp(
  `^(.+)=(${OPERATOR_ROLES.join('|')})(?:@([a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?))?$`,
);

const UPSTREAM = /^(?:request|callback-dispatcher|results|ingestion)=(.+)$/;
const isUpstream = (text: string): boolean => {
  const [, address] = UPSTREAM.exec(text) ?? [];
  return address !== undefined && isPlainAddress(address) && !address.endsWith('/');
};

/** Who may use the operator's API, and where it is. */
export const operatorSettings = {
  OPERATOR_PORT: port({
    meaning:
      'A further port, for the API of the operator alone (docs/operators-api.md). It needs OPERATOR_OIDC_ISSUER. ' +
      'Without it only a standalone sandbox serves the API: on PORT, and its log shows a link that signs in. ' +
      'With it and OPERATOR_URL alone, the log of a sandbox shows such a link too.',
  }),
  OPERATOR_URL: url({
    meaning:
      'Base address of the API of the operator, as browsers reach it. The identity provider must know ' +
      'OPERATOR_URL/operator/v1/sign-in/callback as a redirect URI.',
  }),
  OPERATOR_OIDC_ISSUER: url({ meaning: 'Issuer of the OpenID Connect provider that knows the operators.' }),
  OPERATOR_OIDC_CLIENT_ID: text({ meaning: 'Id of this service at the provider, for sign-ins of browsers.' }),
  OPERATOR_OIDC_CLIENT_SECRET_FILE: file({
    meaning: 'File with the secret of that client. Without it a public client, with PKCE alone.',
  }),
  OPERATOR_OIDC_CA_FILE: certificatesOfFile({
    meaning: 'Authorities of the provider, PEM, trusted in addition to the public ones. Read at the start.',
  }),
  OPERATOR_OIDC_AUDIENCE: text({
    meaning:
      'Audience that bearer tokens of machines must name. Not the client id, so that no ID token passes for one.',
  }),
  OPERATOR_OIDC_SCOPES: list(
    {
      meaning:
        'Scopes that sign-ins ask for beside openid, where the provider gives the claim of the roles for none but one ' +
        '(groups). Those of machines are asked for by the machines.',
    },
    /^[\u0021\u0023-\u005b\u005d-\u007e]+$/,
    'a scope',
  ),
  OPERATOR_OIDC_ROLE_CLAIM: text({ default: 'groups', meaning: 'Claim of tokens that OPERATOR_ROLES maps.' }),
  OPERATOR_ROLES: list(
    {
      meaning:
        'Values of that claim and their roles: viewer, operator, officer or admin, in all workspaces or ' +
        'in one (dsr-admins=admin,acme-privacy=officer@acme).',
    },
    MAPPED_ROLE,
    'VALUE=ROLE or VALUE=ROLE@WORKSPACE',
  ),
  OPERATOR_SESSION_IDLE_MS: durationMs({
    default: 30 * MINUTE_MS,
    meaning: 'How long a session of a browser lasts without a call; up to a tenth less.',
  }),
  OPERATOR_SESSION_LONGEST_MS: durationMs({
    default: 10 * HOUR_MS,
    meaning: 'How long a session of a browser lasts at most. Its roles are those of its sign-in until then.',
  }),
  RATE_LIMIT_OPERATOR_CALLS_PER_MINUTE: int({
    default: 600,
    min: 0,
    max: MOST_CALLS,
    meaning:
      'Calls of one operator to the API of the operator, a minute over all processes; more are answered with 429. ' +
      '0: no limit.',
  }),
  OPERATOR_REVEAL_APPROVAL: bool({
    default: false,
    meaning:
      'Whether a second person must approve before the API of the operator shows whom a request is about. ' +
      'Set the same for all gateways.',
  }),
  RATE_LIMIT_OPERATOR_REVEALS_PER_DAY: int({
    default: 100,
    min: 0,
    max: MOST_CALLS,
    meaning:
      'How often one operator may ask whom a request is about, by UTC day over all processes; more are answered ' +
      'with 429. 0: no limit.',
  }),
} as const;

export type OperatorValues = Values<typeof operatorSettings>;

/** Where the gateway finds the other services. In-process in standalone. */
export const operatorUpstreamSettings = {
  OPERATOR_UPSTREAMS: list(
    {
      meaning:
        'Admin addresses of the other services, which the API of the operator asks about their own documents ' +
        '(request=http://request:8081,results=http://results:8081). Of a service that is not named it shows nothing.',
    },
    isUpstream,
    'SERVICE=ADDRESS, of request, callback-dispatcher, results or ingestion',
  ),
} as const;

export type OperatorUpstreamValues = Values<typeof operatorUpstreamSettings>;

/** Faults of the upstreams: each service has one address. */
export function checkUpstreams({ OPERATOR_UPSTREAMS: upstreams }: OperatorUpstreamValues): string[] {
  const names = upstreams.map((upstream) => upstream.split('=', 1)[0]);
  return new Set(names).size < names.length ? ['OPERATOR_UPSTREAMS: must name each service once'] : [];
}

interface Ports {
  readonly PORT: number;
  readonly ADMIN_PORT: number;
  readonly PORT_V1: number | undefined;
  readonly TIMING_PROFILE: Profile;
}

const NEEDED = [
  'OPERATOR_PORT',
  'OPERATOR_URL',
  'OPERATOR_OIDC_ISSUER',
  'OPERATOR_OIDC_CLIENT_ID',
  'OPERATOR_OIDC_AUDIENCE',
] as const;

/**
 * Whether a sandbox lets in who has the link of its log, because no provider is named. `mayLink`: whether it does so on
 * the public port too.
 */
export const letsInByLink = (
  {
    OPERATOR_OIDC_ISSUER: issuer,
    OPERATOR_PORT,
    OPERATOR_URL,
    TIMING_PROFILE,
  }: OperatorValues & Pick<Ports, 'TIMING_PROFILE'>,
  mayLink: boolean,
): boolean =>
  issuer === undefined &&
  TIMING_PROFILE === 'sandbox' &&
  (mayLink || (OPERATOR_PORT !== undefined && OPERATOR_URL !== undefined));

/** Faults of the settings of the operator's API. `mayLink`: as of `letsInByLink`. */
export function checkOperator(values: OperatorValues & Ports, mayLink: boolean): string[] {
  return [...checkProvider(values, mayLink), ...checkListener(values), ...checkSessions(values)];
}

function checkProvider(values: OperatorValues & Ports, mayLink: boolean): string[] {
  const { OPERATOR_OIDC_CLIENT_ID: clientId, OPERATOR_OIDC_AUDIENCE: audience } = values;
  // An address alone turns nothing on: both compose files name one.
  const isOff =
    values.OPERATOR_ROLES.length === 0 && NEEDED.every((name) => name === 'OPERATOR_URL' || values[name] === undefined);
  if (isOff || letsInByLink(values, mayLink)) return [];
  const faults: string[] = NEEDED.filter((name) => values[name] === undefined).map(
    (name) => `${name}: must be set where another setting of the operator is`,
  );
  if (values.OPERATOR_ROLES.length === 0) faults.push('OPERATOR_ROLES: must be set, or nobody has a role');
  if (audience !== undefined && audience === clientId)
    faults.push('OPERATOR_OIDC_AUDIENCE: must differ from OPERATOR_OIDC_CLIENT_ID');
  return [...faults, ...checkAddresses(values)];
}

const THIS_MACHINE = /^http:\/\/localhost(?:[:/]|$)/;

/**
 * Tokens and cookies never go over a wire that others read. The browser's own machine is none, such as at the end of a
 * forwarded port; a sandbox may be on this machine alone.
 */
const checkAddresses = (values: OperatorValues & Ports): string[] =>
  values.TIMING_PROFILE === 'sandbox'
    ? []
    : (['OPERATOR_OIDC_ISSUER', 'OPERATOR_URL'] as const)
        .filter((name) => values[name]?.startsWith('http://') === true)
        .filter((name) => !(name === 'OPERATOR_URL' && THIS_MACHINE.test(values[name] ?? '')))
        .map((name) => `${name}: must be an https address`);

const checkListener = ({ OPERATOR_PORT, PORT, ADMIN_PORT, PORT_V1 }: OperatorValues & Ports): string[] =>
  OPERATOR_PORT !== undefined && OPERATOR_PORT !== 0 && [PORT, ADMIN_PORT, PORT_V1].includes(OPERATOR_PORT)
    ? ['OPERATOR_PORT: must differ from PORT, ADMIN_PORT and PORT_V1']
    : [];

const checkSessions = ({ OPERATOR_SESSION_IDLE_MS: idle, OPERATOR_SESSION_LONGEST_MS: longest }: OperatorValues) =>
  idle === 0 || longest < idle
    ? ['OPERATOR_SESSION_IDLE_MS: must be longer than 0 and not longer than OPERATOR_SESSION_LONGEST_MS']
    : [];
