import { LRUCache } from 'lru-cache';
import type { ProtocolVersion } from '@opendsr-service/contracts';
import { download } from './download.client';
import { after, CachedReading } from './cached-reading';
import { isAllowedAddress, type Settings } from './settings';

const DISCOVERY_FRESH_MS = 5 * 60_000;
const DISCOVERY_LIMIT_BYTES = 256 * 1024;
const CERTIFICATE_LIMIT_BYTES = 64 * 1024;
const MAX_CERTIFICATES = 100;

/** The same object as long as the file is unchanged, so that findings can be cached by it. */
export interface Published {
  readonly pem: string;
  readonly origin: string;
}

/** The published certificates of processors, by domain and version. */
export class Certificates {
  private readonly sources = new Map<string, CachedReading<Published>>();
  /** By domain and address. */
  private readonly files = new LRUCache<string, Published>({ max: MAX_CERTIFICATES });

  constructor(private readonly settings: Settings) {}

  sourceFor(domain: string, version: ProtocolVersion): CachedReading<Published> {
    const key = `${version.root} ${domain}`;
    const source = this.sources.get(key) ?? this.sourceOf(domain, version);
    this.sources.set(key, source);
    return source;
  }

  private sourceOf(domain: string, version: ProtocolVersion): CachedReading<Published> {
    const { certificatePem: pem } = this.settings;
    const saved = pem === undefined ? undefined : { pem, origin: 'the saved file' };
    return new CachedReading({
      read: async (_, again) => saved ?? this.fetchPublished(domain, version, again),
      freshUntil: (_, now) => after(now, DISCOVERY_FRESH_MS),
    });
  }

  /** `again`: downloads the file although its address is the same. */
  private async fetchPublished(domain: string, version: ProtocolVersion, again: boolean): Promise<Published> {
    const { baseUrls, network } = this.settings;
    const base = baseUrls.get(domain);
    if (!base) throw new Error('the domain is not in the allow list');
    const discovery = new URL(`${base.href.replace(/\/+$/, '')}/${version.root}/discovery`);
    const url = certificateUrlOf(await download(discovery, DISCOVERY_LIMIT_BYTES, network));
    if (!url || !isAllowedAddress(url, base))
      throw new Error(`${discovery.href} has no https: address of a certificate`);
    const known = this.files.get(`${domain} ${url.href}`);
    if (known && !again) return known;
    const pem = (await download(url, CERTIFICATE_LIMIT_BYTES, network)).toString('latin1');
    if (known?.pem === pem) return known;
    const published = { pem, origin: url.href };
    this.files.set(`${domain} ${url.href}`, published);
    return published;
  }
}

function certificateUrlOf(discovery: Buffer): URL | null {
  try {
    const { processor_certificate: url } = JSON.parse(discovery.toString()) as { processor_certificate?: unknown };
    return typeof url === 'string' ? URL.parse(url) : null;
  } catch {
    // Not JSON, or JSON without fields.
    return null;
  }
}
