import 'reflect-metadata';
import * as x509 from '@peculiar/x509';
import type { CertificateFault } from '../check-certificate';
import type { KeyAndCertificate } from '../issue-certificate';
import type { SigningFault } from '../signing-error';
import { curveKeys, fitting, issueOdd, shortKeys, type OddWish } from './issue-odd';

const DAY_MS = 24 * 3600 * 1000;

export interface Place {
  readonly authority: KeyAndCertificate;
  readonly domain: string;
  readonly now: Date;
  /** Shared by all that need no special key, as keys take long to make. */
  readonly keys: NonNullable<OddWish['keys']>;
}

/** A certificate that every receiver refuses. */
export interface Unfit {
  readonly what: string;
  readonly make: (place: Place) => Promise<KeyAndCertificate>;
  readonly kind: SigningFault;
  readonly faults: readonly CertificateFault[];
  readonly reason: RegExp;
}

const odd = (wish: (place: Place) => Partial<OddWish> | Promise<Partial<OddWish>>) => async (place: Place) =>
  issueOdd({ ...place, commonNames: [place.domain], extensions: fitting(place.domain), ...(await wish(place)) });

export const UNFIT: readonly Unfit[] = [
  {
    what: 'another common name',
    make: odd(() => ({ commonNames: ['other'] })),
    kind: 'names',
    faults: ['common-name'],
    reason: /must carry opendsr\.example\.com .*CN other; alternative names opendsr\.example\.com\)/,
  },
  {
    what: 'a second common name',
    make: odd(({ domain }) => ({ commonNames: [domain, 'other'] })),
    kind: 'names',
    faults: ['common-name'],
    reason: /only common name/,
  },
  {
    what: 'another alternative name',
    make: odd(() => ({ extensions: fitting('other') })),
    kind: 'names',
    faults: ['alternative-name'],
    reason: /CN opendsr\.example\.com; alternative names other\)/,
  },
  {
    what: 'no alternative name',
    make: odd(({ domain }) => ({ extensions: fitting(domain).slice(0, 1) })),
    kind: 'names',
    faults: ['alternative-name'],
    reason: /alternative names none/,
  },
  {
    what: 'a certificate that has expired',
    make: odd(({ now }) => ({ now: before(now, 2) })),
    kind: 'dates',
    faults: ['expired'],
    reason: /not now/,
  },
  {
    what: 'a certificate that is not valid yet',
    make: odd(({ now }) => ({ now: before(now, -2) })),
    kind: 'dates',
    faults: ['not-yet-valid'],
    reason: /not now/,
  },
  {
    what: 'no key usage',
    make: odd(({ domain }) => ({ extensions: fitting(domain).slice(1) })),
    kind: 'usage',
    faults: ['key-usage'],
    reason: /lacks the key usage digitalSignature/,
  },
  {
    what: 'another key usage',
    make: odd(({ domain }) => ({
      extensions: [new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyEncipherment, true), ...fitting(domain).slice(1)],
    })),
    kind: 'usage',
    faults: ['key-usage'],
    reason: /lacks the key usage digitalSignature/,
  },
  {
    what: 'an RSA key of 1024 bits',
    make: odd(async () => ({ keys: await shortKeys() })),
    kind: 'key-unfit',
    faults: ['key-unfit'],
    reason: /rsa of 1024 bits/,
  },
  {
    what: 'an elliptic curve key',
    make: odd(async () => ({ keys: await curveKeys() })),
    kind: 'key-unfit',
    faults: ['key-unfit'],
    reason: /is ec of/,
  },
  {
    what: 'a self-signed certificate',
    make: odd(() => ({ authority: undefined })),
    kind: 'chain',
    faults: ['self-signed'],
    reason: /is signed by itself/,
  },
  {
    what: 'a signature with SHA-1',
    make: odd(() => ({ hash: 'SHA-1' })),
    kind: 'chain',
    faults: ['untrusted'],
    reason: /leads to no authority/,
  },
  {
    what: 'an unknown critical extension',
    make: odd(({ domain }) => ({
      extensions: [...fitting(domain), new x509.Extension('2.5.29.30', true, Buffer.from('3000', 'hex'))],
    })),
    kind: 'chain',
    faults: ['untrusted'],
    reason: /leads to no authority/,
  },
  {
    what: 'a broken extension',
    make: odd(({ domain }) => ({
      extensions: [...fitting(domain), new x509.Extension('2.5.29.31', false, Buffer.from('ffff', 'hex'))],
    })),
    kind: 'unreadable',
    faults: ['malformed'],
    reason: /broken extension/,
  },
  {
    what: 'an intermediate that has expired',
    make: (place) => underIntermediate(place, { now: before(place.now, 2) }),
    kind: 'chain',
    faults: ['untrusted'],
    reason: /issuer that is out of date/,
  },
  {
    what: 'an intermediate signed with SHA-1',
    make: (place) => underIntermediate(place, { hash: 'SHA-1' }),
    kind: 'chain',
    faults: ['untrusted'],
    reason: /leads to no authority/,
  },
];

/** Fit, unless the intermediate is not. */
export async function underIntermediate(
  { authority, domain, now, keys }: Place,
  wish: Partial<OddWish> = {},
): Promise<KeyAndCertificate> {
  const extensions = [
    new x509.BasicConstraintsExtension(true, 0, true),
    new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign, true),
  ];
  const between = await issueOdd({ authority, commonNames: ['intermediate'], extensions, now, ...wish });
  const { keyPem, certPem } = await issueOdd({
    authority: between,
    commonNames: [domain],
    extensions: fitting(domain),
    now,
    keys,
  });
  return { keyPem, certPem: certPem + between.certPem };
}

const before = (now: Date, days: number) => new Date(now.getTime() - days * DAY_MS);
