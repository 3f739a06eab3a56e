import type { X509Certificate } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { certificateFacts } from '@opendsr-service/signing';
import { download, type Network } from './download.client';
import { after, CachedReading } from './cached-reading';
import { listFault, type ListContext } from './list-fault';
import { NewestList } from './newest-list';
import { identityOf, isRevokedBy, readRevocationList } from './revocation-list';

const LIST_LIMIT_BYTES = 10 * 1024 * 1024;
/** Lists may be valid for a year, but are replaced on revocations. */
const FRESH_MS = 24 * 3600 * 1000;
const MAX_STANDINGS = 200;
const MAX_ADDRESSES = 4;

/** What a list says about one certificate; the list itself is not kept. */
interface CertificateStanding {
  readonly revoked: boolean;
  readonly nextUpdate: Date;
}

/** `unknown`: why no list is available. */
type Revocation =
  | {
      readonly state: 'none revoked';
      readonly listCount: number;
      readonly unlistedCount: number;
    }
  | { readonly state: 'revoked' }
  | { readonly state: 'unknown'; readonly detail: string };

type About = Omit<ListContext, 'now' | 'issuerName'> & { readonly newest: NewestList };

interface NamedLists {
  readonly isNamed: boolean;
  /** One for each usable address. */
  readonly standings: readonly { readonly url: URL; readonly standing: CachedReading<CertificateStanding> }[];
}

export class Revocations {
  private readonly lists = new WeakMap<X509Certificate, NamedLists>();
  private readonly standings = new LRUCache<string, CachedReading<CertificateStanding>>({ max: MAX_STANDINGS });
  /** By issuer and addresses, each of which may serve the list. */
  private readonly newest = new LRUCache<string, NewestList>({ max: MAX_STANDINGS });

  constructor(private readonly network: Network) {}

  /** `path`: from the leaf to the trusted authority, which needs no list. */
  async check(path: readonly X509Certificate[], now: Date): Promise<Revocation> {
    const found = await Promise.all(
      path.slice(0, -1).map((certificate, i) => this.checkOne(certificate, path[i + 1] ?? certificate, now)),
    );
    const asked = found.filter((one) => one !== undefined);
    const unknown = asked.find((one) => typeof one === 'string');
    if (asked.some((one) => typeof one === 'object' && one.revoked)) return { state: 'revoked' };
    return unknown === undefined
      ? { state: 'none revoked', listCount: asked.length, unlistedCount: found.length - asked.length }
      : { state: 'unknown', detail: unknown };
  }

  /** Undefined: the certificate names no list. */
  private async checkOne(
    certificate: X509Certificate,
    issuer: X509Certificate,
    now: Date,
  ): Promise<CertificateStanding | string | undefined> {
    const { isNamed, standings } = this.listsOf(certificate, issuer);
    if (!isNamed) return undefined;
    let fault = 'a certificate names no usable address of a revocation list';
    for (const { url, standing } of standings) {
      const reading = await standing.current(now);
      // A revocation stays, even without a newer list.
      if (reading.value && (reading.value.revoked || now <= reading.value.nextUpdate)) return reading.value;
      fault = reading.fault ?? `${url.href} is out of date`;
    }
    return fault;
  }

  private listsOf(certificate: X509Certificate, issuer: X509Certificate): NamedLists {
    const known = this.lists.get(certificate) ?? this.newListsOf(certificate, issuer);
    this.lists.set(certificate, known);
    return known;
  }

  private newListsOf(certificate: X509Certificate, issuer: X509Certificate): NamedLists {
    const points = certificateFacts(certificate).revocationLists;
    const addresses = points.flat();
    const urls = addresses
      .flatMap((address) => URL.parse(address) ?? [])
      .filter(({ protocol }) => protocol === 'http:' || protocol === 'https:');
    const about = { isAuthority: certificate.ca, issuer, addresses, newest: this.newestOf(issuer, addresses) };
    return {
      isNamed: points.length > 0,
      standings: urls
        .slice(0, MAX_ADDRESSES)
        .map((url) => ({ url, standing: this.standingOf(certificate, url, about) })),
    };
  }

  private standingOf(certificate: X509Certificate, url: URL, about: About): CachedReading<CertificateStanding> {
    const key = `${certificate.fingerprint256} ${url.href}`;
    const standing =
      this.standings.get(key) ??
      new CachedReading({ read: (now) => this.read(certificate, url, { ...about, now }), freshUntil });
    this.standings.set(key, standing);
    return standing;
  }

  private newestOf(issuer: X509Certificate, addresses: readonly string[]): NewestList {
    const key = [issuer.fingerprint256, ...addresses].join(' ');
    const newest = this.newest.get(key) ?? new NewestList();
    this.newest.set(key, newest);
    return newest;
  }

  private async read(
    certificate: X509Certificate,
    url: URL,
    about: About & { readonly now: Date },
  ): Promise<CertificateStanding> {
    const { issuer: issuerName, serial } = identityOf(certificate.raw);
    const file = await download(url, LIST_LIMIT_BYTES, this.network);
    const list = parsed(() => readRevocationList(file));
    const fault = list ? listFault(list, { ...about, issuerName }) : 'is not a revocation list';
    const revoked = list && parsed(() => isRevokedBy(list, serial));
    if (fault !== undefined || !list?.nextUpdate || revoked === undefined)
      throw new Error(`${url.href} ${fault ?? 'has unreadable entries'}`);
    if (!about.newest.accept(list)) throw new Error(`${url.href} is older than an accepted list`);
    return { revoked, nextUpdate: list.nextUpdate };
  }
}

function freshUntil({ nextUpdate }: CertificateStanding, now: Date): Date {
  const soon = after(now, FRESH_MS);
  return nextUpdate < soon ? nextUpdate : soon;
}

function parsed<T>(parse: () => T): T | undefined {
  try {
    return parse();
  } catch {
    return undefined;
  }
}
