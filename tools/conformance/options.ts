import { parseArgs } from 'node:util';
import { API_VERSIONS, REQUEST_TYPES, type ApiVersion, type RequestType } from '@opendsr-service/contracts';
import { durationMs } from './duration';
import { defaultOptions, type Account, type ConformanceOptions } from './target';

/** The arguments of `npm run conformance`, before it reads files. */
export interface CommandLine {
  readonly baseUrl?: string;
  readonly v1BaseUrl?: string;
  /** Undefined: those whose discovery answers. */
  readonly versions?: readonly ApiVersion[];
  readonly account?: Account;
  readonly other?: Account;
  readonly credentialsFile?: string;
  readonly authorityFile?: string;
  readonly domains: readonly string[];
  readonly receiver?: ReceiverWish;
  readonly known?: { readonly type: string; readonly value: string };
  readonly oldResultsUrl?: string;
  readonly jsonFile?: string;
  readonly junitFile?: string;
  readonly options: ConformanceOptions;
}

export interface ReceiverWish {
  readonly host: string;
  readonly port: number;
  /** How the processor reaches it. */
  readonly url: string;
  /** Without them it uses plain HTTP, behind a proxy that ends TLS. */
  readonly keyFile?: string;
  readonly certFile?: string;
}

type Values = Readonly<Record<string, string | boolean | undefined>>;
type Env = Readonly<Record<string, string | undefined>>;

const text = { type: 'string' } as const;
const flag = { type: 'boolean', default: false } as const;

type Said = (option: string) => string | undefined;

/** Reads the arguments and the credentials of the environment. Throws their faults, without secrets. */
export function readCommandLine(args: readonly string[], env: Env): CommandLine {
  const values = parsed(args);
  const said: Said = (option) =>
    typeof values[option] === 'string' && values[option] !== '' ? values[option] : undefined;
  return {
    ...addresses(said),
    ...accounts(said, env),
    versions: words(said, 'versions')?.map((word) => oneOf(word, API_VERSIONS, 'versions')),
    authorityFile: said('ca'),
    domains: words(said, 'domains') ?? [],
    receiver: receiverWish(said),
    known: knownOf(said('known')),
    jsonFile: said('json'),
    junitFile: said('junit'),
    options: {
      ...waits(said),
      notes: values.notes === true,
      slow: values.slow === true,
      keep: values.keep === true,
      only: words(said, 'only') ?? [],
      callsPerMinute: callsPerMinute(said('calls-per-minute')),
      pendingType: oneOf(
        said('pending-type') ?? defaultOptions.pendingType,
        REQUEST_TYPES,
        'pending-type',
      ) satisfies RequestType,
    },
  };
}

function waits(said: Said): Pick<ConformanceOptions, 'waitMs' | 'portabilityWaitMs' | 'callbackIntervalMs'> {
  const waitMs = waitOf(said, 'wait', defaultOptions.waitMs);
  return {
    waitMs,
    portabilityWaitMs: waitOf(said, 'portability-wait', waitMs),
    callbackIntervalMs: waitOf(said, 'callback-interval', defaultOptions.callbackIntervalMs),
  };
}

const words = (said: Said, option: string): string[] | undefined => said(option)?.split(',');

function addresses(said: Said): Pick<CommandLine, 'baseUrl' | 'v1BaseUrl' | 'oldResultsUrl'> {
  const [baseUrl, v1BaseUrl, oldResultsUrl] = ['base-url', 'v1-base-url', 'old-results-url'].map((option) =>
    address(said(option), option),
  );
  if (baseUrl === undefined && v1BaseUrl === undefined) throw new Error('--base-url or --v1-base-url is needed');
  return { baseUrl, v1BaseUrl, oldResultsUrl };
}

function accounts(said: Said, env: Env): Pick<CommandLine, 'account' | 'other' | 'credentialsFile'> {
  return {
    account: accountOf(
      said('key') ?? env.DSR_CONFORMANCE_KEY,
      said('secret') ?? env.DSR_CONFORMANCE_SECRET,
      '--key and --secret',
    ),
    other: accountOf(
      said('other-key') ?? env.DSR_CONFORMANCE_OTHER_KEY,
      said('other-secret') ?? env.DSR_CONFORMANCE_OTHER_SECRET,
      '--other-key and --other-secret',
    ),
    credentialsFile: said('credentials-file'),
  };
}

function parsed(args: readonly string[]): Values {
  return parseArgs({
    args: [...args],
    options: {
      'base-url': text,
      'v1-base-url': text,
      versions: text,
      key: text,
      secret: text,
      'other-key': text,
      'other-secret': text,
      'credentials-file': text,
      ca: text,
      domains: text,
      'receiver-listen': text,
      'receiver-url': text,
      'receiver-key': text,
      'receiver-cert': text,
      known: text,
      'old-results-url': text,
      wait: text,
      'portability-wait': text,
      'callback-interval': text,
      notes: flag,
      slow: flag,
      keep: flag,
      only: text,
      'calls-per-minute': text,
      'pending-type': text,
      json: text,
      junit: text,
    },
  }).values;
}

function address(url: string | undefined, option: string): string | undefined {
  if (url === undefined) return undefined;
  if (!/^https?:\/\//.test(url) || !URL.canParse(url))
    throw new Error(`--${option} is an address such as https://dsr.example`);
  return url.replace(/\/+$/, '');
}

function oneOf<T extends string>(word: string, known: readonly T[], option: string): T {
  const found = known.find((one) => one === word);
  if (!found) throw new Error(`--${option} is of ${known.join(',')}`);
  return found;
}

function accountOf(key: string | undefined, secret: string | undefined, what: string): Account | undefined {
  if (key && secret) return { key, secret };
  if (key || secret) throw new Error(`${what} come together`);
  return undefined;
}

function receiverWish(said: Said): ReceiverWish | undefined {
  const [listen, url, keyFile, certFile] = [
    said('receiver-listen'),
    address(said('receiver-url'), 'receiver-url'),
    said('receiver-key'),
    said('receiver-cert'),
  ];
  if (listen === undefined && url === undefined) return undefined;
  const [, host, port] = /^(.+):(\d{1,5})$/.exec(listen ?? '') ?? [];
  if (host === undefined || url === undefined)
    throw new Error('--receiver-listen host:port and --receiver-url come together');
  if ((keyFile === undefined) !== (certFile === undefined))
    throw new Error('--receiver-key and --receiver-cert come together');
  return { host, port: Number(port), url, ...(keyFile !== undefined && { keyFile, certFile }) };
}

function knownOf(said: string | undefined): CommandLine['known'] {
  if (said === undefined) return undefined;
  const [, type, value] = /^([a-z_]+)=(.+)$/.exec(said) ?? [];
  if (type === undefined || value === undefined) throw new Error('--known is identity_type=value');
  return { type, value };
}

function waitOf(said: Said, option: string, otherwiseMs: number): number {
  const text = said(option);
  const ms = text === undefined ? otherwiseMs : durationMs(text);
  if (ms === undefined) throw new Error(`--${option} is a time such as 30s or 20m`);
  return ms;
}

function callsPerMinute(said: string | undefined): number {
  const calls = Number(said ?? defaultOptions.callsPerMinute);
  if (!Number.isInteger(calls) || calls < 0) throw new Error('--calls-per-minute is a whole number, 0 for no limit');
  return calls;
}
