import type { X509Certificate } from 'node:crypto';
import tls from 'node:tls';
import { readCertificates } from '@opendsr-service/signing';
import type { Network } from './download.client';
import type { RevocationMode, VerifyOptions } from './types';

const TIMEOUT_MS = 5000;

export interface Settings {
  readonly baseUrls: ReadonlyMap<string, URL>;
  readonly isMine: (url: string) => boolean;
  readonly trusted: () => readonly X509Certificate[];
  readonly revocation: RevocationMode;
  readonly certificatePem: string | undefined;
  readonly now: () => Date;
  readonly network: Network;
}

/** Throws a TypeError on invalid options. */
export function settingsOf(options: VerifyOptions): Settings {
  const {
    allowedDomains,
    callbackUrls,
    trust,
    certificatePem,
    revocation = 'if-named',
    timeoutMs = TIMEOUT_MS,
    now = () => new Date(),
  } = options;
  if (!(timeoutMs > 0)) throw new TypeError('timeoutMs must be above 0');
  const mine = typeof callbackUrls === 'function' ? callbackUrls : new Set(callbackUrls);
  return {
    baseUrls: baseUrlsOf(allowedDomains),
    isMine: typeof mine === 'function' ? mine : (url) => mine.has(url),
    trusted: trustedAuthorities(trust),
    revocation,
    certificatePem,
    now,
    network: { fetch: options.fetch ?? ((...call) => fetch(...call)), timeoutMs },
  };
}

/** `https:`, or `http:` if the base URL is on loopback. */
export function isAllowedAddress(url: URL, base: URL): boolean {
  return url.protocol === 'https:' || (isPlainLoopback(base) && isPlainLoopback(url));
}

function baseUrlsOf(allowed: VerifyOptions['allowedDomains']): Map<string, URL> {
  const entries = isList(allowed)
    ? allowed.map((domain) => [domain, `https://${domain}`] as const)
    : Object.entries(allowed);
  return new Map(entries.map(([domain, base]) => [domain, baseUrlOf(domain, base)]));
}

const isList = (allowed: VerifyOptions['allowedDomains']): allowed is readonly string[] => Array.isArray(allowed);

function baseUrlOf(domain: string, base: string): URL {
  const url = URL.parse(base);
  if (!url || !isAllowedAddress(url, url) || /[?#]/.test(url.href))
    throw new TypeError(
      `the base URL of ${domain} must be an https: URL, or an http: URL of this machine, without query and fragment`,
    );
  return url;
}

function isPlainLoopback({ protocol, hostname }: URL): boolean {
  return (
    protocol === 'http:' && (hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname))
  );
}

/** The authorities in PEM form, or those that Node trusts. Throws a TypeError where there is none. */
export const trustedAuthorities = (trust: string | undefined): (() => readonly X509Certificate[]) =>
  trust === undefined ? trustedByNode : authoritiesOf(trust);

function authoritiesOf(trust: string): () => X509Certificate[] {
  const authorities = readCertificates(trust);
  if (authorities.length === 0) throw new TypeError('trust holds no certificate in PEM form');
  return () => authorities;
}

let nodeAuthorities: X509Certificate[] | undefined;

/** About 150 certificates, parsed once on demand. */
function trustedByNode(): readonly X509Certificate[] {
  return (nodeAuthorities ??= pemsOfNode().flatMap((pem) => readCertificates(pem)));
}

/** Node before 22.15 lacks `getCACertificates`, and a named import of it would not link there. */
const pemsOfNode = (): readonly string[] =>
  typeof tls.getCACertificates === 'function' ? tls.getCACertificates('default') : tls.rootCertificates;
