import { httpSettings, publicUrlSettings, signingSettings, storeSettings, type Values } from '@opendsr-service/config';
import type { SandboxCertificates } from '@opendsr-service/signing';
import { sandboxIn } from '../certs/certificates.config';
import type { Terminal } from '../command';
import { address, baseAddress, matching, optional } from '../options';
import { isThisMachine } from './this-machine';

const table = {
  PORT: httpSettings.PORT,
  DATA_DIR: storeSettings.DATA_DIR,
  PROCESSOR_DOMAIN_V2: signingSettings.PROCESSOR_DOMAIN_V2,
  PROCESSOR_DOMAIN_V1: signingSettings.PROCESSOR_DOMAIN_V1,
  ...publicUrlSettings,
};

const domains = matching(/^[a-z0-9.-]{1,253}(,[a-z0-9.-]{1,253})*$/, 'domain names in lower case, separated by commas');

/** The options that name the trusted processor. */
export const believedOptions = {
  'base-url': optional('URL', baseAddress),
  domain: optional('D', domains),
  trust: optional('FILE', String),
};

/** The expected callback URL, exactly as in `status_callback_urls`. */
export function callbackUrl(text: string): string {
  address(text);
  return text;
}

interface Given {
  readonly 'base-url'?: URL | undefined;
  readonly domain?: string | undefined;
  readonly trust?: string | undefined;
}

/** The trusted domains and authorities. */
export interface Believed {
  /** Each domain with the base URL of its discovery. */
  readonly allowedDomains: Readonly<Record<string, string>>;
  /** PEM; undefined: the authorities that Node trusts. */
  readonly trust: string | undefined;
  readonly trustedFrom: string;
  readonly sandbox: SandboxCertificates | undefined;
}

/**
 * Reads the options; the default is the service of this machine by its own settings, with the authority of its sandbox.
 */
export async function believed(given: Given, { settings, files }: Terminal): Promise<Believed> {
  const values = settings(table);
  const allowedDomains = domainsOf(given, values);
  const sandbox = sandboxIn(values.DATA_DIR);
  const isSandbox = given.domain === undefined && Object.values(allowedDomains).every(isHere);
  const file = given.trust ?? (isSandbox ? sandbox?.authorityFile : undefined);
  return {
    allowedDomains,
    sandbox,
    trust: file && (await files.text(file)),
    trustedFrom: file ?? 'the authorities that Node trusts',
  };
}

function domainsOf({ domain, 'base-url': base }: Given, values: Values<typeof table>): Believed['allowedDomains'] {
  const named = base?.href.replace(/\/+$/, '');
  const [v1, v2] = [named ?? values.PUBLIC_URL_V1, named ?? values.PUBLIC_URL_V2];
  const own = new Map([
    [values.PROCESSOR_DOMAIN_V2, v2],
    [values.PROCESSOR_DOMAIN_V1, v1],
  ]);
  return Object.fromEntries(domain === undefined ? own : domain.split(',').map((one) => [one, own.get(one) ?? v2]));
}

/** Only a service on this machine can be the sandbox of the data folder. */
const isHere = (url: string): boolean => isThisMachine(new URL(url));
