import { VERSIONS, type ProtocolVersion } from '@opendsr-service/contracts';
import type { HeaderSource } from './types';

const DELIVERY_HEADER = 'x-delivery-id';
const DELIVERY_ID = /^[\x21-\x7e]{1,200}$/;

/** Unverified. */
export interface SignedHeaders {
  readonly version: ProtocolVersion;
  readonly domain: string;
  readonly signature: string;
  readonly deliveryId: string | undefined;
}

/** Domain and signature of exactly one version, or the fault without values. */
export function readHeaders(headers: HeaderSource): SignedHeaders | string {
  const valuesOf = lookUp(headers);
  const pairs = VERSIONS.map((version) => ({
    version,
    domains: valuesOf(version.domainHeader),
    signatures: valuesOf(version.signatureHeader),
  }));
  const [pair, other] = pairs.filter(({ domains, signatures }) => domains.length + signatures.length > 0);
  if (!pair) return 'the headers of processor domain and signature are missing';
  if (other) return 'there are headers of both versions';
  const { version, domains, signatures } = pair;
  const [domain, signature] = [one(domains), one(signatures)];
  if (domain === undefined) return `${version.domainHeader} is ${lack(domains)}`;
  if (signature === undefined) return `${version.signatureHeader} is ${lack(signatures)}`;
  const deliveryId = one(valuesOf(DELIVERY_HEADER)) ?? '';
  return { version, domain, signature, deliveryId: DELIVERY_ID.test(deliveryId) ? deliveryId : undefined };
}

const one = (values: readonly string[]): string | undefined => (values.length === 1 ? values[0] : undefined);
const lack = (values: readonly string[]): string => (values.length === 0 ? 'missing' : 'given more than once');

/** Repeated headers arrive joined by commas; no value contains one. */
function lookUp(headers: HeaderSource): (name: string) => string[] {
  if (isAsked(headers)) return (name) => split(headers.get(name) ?? []);
  const entries = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const);
  return (wanted) =>
    entries.filter(([name]) => name === wanted.toLowerCase()).flatMap(([, value]) => split(value ?? []));
}

const isAsked = (headers: HeaderSource): headers is { get(name: string): string | null } =>
  typeof headers.get === 'function';

const split = (value: unknown): string[] =>
  [value]
    .flat()
    .flatMap((text) => String(text).split(','))
    .map((text) => text.trim());
