import 'reflect-metadata';
import { constants, createPrivateKey, randomBytes, sign, webcrypto, type KeyObject } from 'node:crypto';
import * as x509 from '@peculiar/x509';

const RSA = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256', publicExponent: new Uint8Array([1, 0, 1]) };

const FOR = {
  authority: x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign,
  leaf: x509.KeyUsageFlags.digitalSignature,
};

/** The default date of certificates and lists. */
export const TODAY = new Date('2026-01-01T00:00:00Z');
const SPAN = { from: new Date('2025-06-01T00:00:00Z'), until: new Date('2026-06-01T00:00:00Z') };

/** A certificate with its keys, which stay in memory. */
export interface Party {
  readonly pem: string;
  readonly certificate: x509.X509Certificate;
  readonly keys: webcrypto.CryptoKeyPair;
}

export interface PartyWish {
  readonly name: string;
  readonly keys: webcrypto.CryptoKeyPair;
  /** Default: self-signed. */
  readonly issuer?: Party;
  readonly dnsNames?: readonly string[];
  readonly usage?: number;
  readonly isAuthority?: boolean;
  readonly pathLength?: number;
  readonly lists?: readonly string[];
  readonly from?: Date;
  readonly until?: Date;
  readonly hash?: 'SHA-1' | 'SHA-256';
  readonly serialNumber?: string;
}

export const rsaKeys = (modulusLength = 2048): Promise<webcrypto.CryptoKeyPair> =>
  webcrypto.subtle.generateKey({ ...RSA, modulusLength }, true, ['sign', 'verify']);

export async function makeParty(wish: PartyWish): Promise<Party> {
  const {
    name,
    keys,
    issuer,
    from = SPAN.from,
    until = SPAN.until,
    hash = 'SHA-256',
    serialNumber = newSerialNumber(),
  } = wish;
  const certificate = await x509.X509CertificateGenerator.create(
    {
      serialNumber,
      subject: [{ CN: [name] }],
      issuer: issuer?.certificate.subject ?? `CN=${name}`,
      notBefore: from,
      notAfter: until,
      publicKey: keys.publicKey,
      signingKey: await signingKeyOf(issuer?.keys ?? keys, hash),
      signingAlgorithm: { ...RSA, hash },
      extensions: extensionsOf(wish),
    },
    webcrypto,
  );
  return { pem: `${certificate.toString('pem')}\n`, certificate, keys };
}

function extensionsOf({
  name,
  isAuthority = false,
  dnsNames = isAuthority ? [] : [name],
  usage = isAuthority ? FOR.authority : FOR.leaf,
  pathLength,
  lists = [],
}: PartyWish): x509.Extension[] {
  return [
    new x509.BasicConstraintsExtension(isAuthority, pathLength, true),
    new x509.KeyUsagesExtension(usage, true),
    ...(dnsNames.length > 0
      ? [new x509.SubjectAlternativeNameExtension(dnsNames.map((value) => ({ type: 'dns' as const, value })))]
      : []),
    ...(lists.length > 0 ? [new x509.CRLDistributionPointsExtension([...lists])] : []),
  ];
}

/** Positive and of full length. */
const newSerialNumber = (): string => `4${randomBytes(8).toString('hex').slice(1)}`;

export interface ListWish {
  readonly revoked?: readonly Party[];
  readonly reason?: x509.X509CrlReason;
  readonly from?: Date;
  readonly until?: Date;
  /** The issuingDistributionPoint. */
  readonly address?: string;
  readonly hash?: 'SHA-1' | 'SHA-256';
  readonly extensions?: readonly x509.Extension[];
}

/** DER. */
export async function makeList(issuer: Party, wish: ListWish = {}): Promise<Buffer> {
  const {
    revoked = [],
    reason,
    from = new Date('2025-12-31T00:00:00Z'),
    until = new Date('2026-01-07T00:00:00Z'),
    address,
    hash = RSA.hash,
    extensions = [],
  } = wish;
  const list = await x509.X509CrlGenerator.create(
    {
      issuer: issuer.certificate.subject,
      thisUpdate: from,
      nextUpdate: until,
      entries: revoked.map(({ certificate }) => ({
        serialNumber: certificate.serialNumber,
        revocationDate: from,
        ...(reason !== undefined && { reason }),
      })),
      extensions: [...extensions, ...(address === undefined ? [] : [issuingPoint(address)])],
      signingAlgorithm: { ...RSA, hash },
      signingKey: await signingKeyOf(issuer.keys, hash),
    },
    webcrypto,
  );
  return Buffer.from(list.rawData);
}

/** A key of webcrypto is bound to a hash, so another hash needs a new import. */
async function signingKeyOf({ privateKey }: webcrypto.CryptoKeyPair, hash: string): Promise<webcrypto.CryptoKey> {
  if (privateKey.algorithm.name !== RSA.name) return privateKey;
  return webcrypto.subtle.importKey(
    'pkcs8',
    await webcrypto.subtle.exportKey('pkcs8', privateKey),
    { ...RSA, hash },
    false,
    ['sign'],
  );
}

/** SEQUENCE { [0] { [0] { [6] address } } }, of less than 128 bytes. */
export function issuingPoint(address: string, more: Buffer = Buffer.alloc(0)): x509.Extension {
  const wrap = (tag: number, content: Buffer) => Buffer.concat([Buffer.from([tag, content.length]), content]);
  return new x509.Extension(
    '2.5.29.28',
    true,
    wrap(0x30, Buffer.concat([wrap(0xa0, wrap(0xa0, wrap(0x86, Buffer.from(address)))), more])),
  );
}

interface SignWish {
  readonly hash?: string;
  readonly padding?: number;
}

export async function signatureOf(
  body: Buffer,
  { keys }: Pick<Party, 'keys'>,
  { hash = 'sha256', padding = constants.RSA_PKCS1_PADDING }: SignWish = {},
): Promise<string> {
  return sign(hash, body, { key: await keyOf(keys), padding }).toString('base64');
}

async function keyOf({ privateKey }: webcrypto.CryptoKeyPair): Promise<KeyObject> {
  return createPrivateKey({
    key: Buffer.from(await webcrypto.subtle.exportKey('pkcs8', privateKey)),
    format: 'der',
    type: 'pkcs8',
  });
}
