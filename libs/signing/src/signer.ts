import { createHash, createPrivateKey, sign, type KeyObject, type X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { isFitRsaKey, isIssuedBy, MIN_MODULUS_BITS, readCertificates } from './certificate';
import { refuseUnfit } from './refuse-unfit';
import { SigningError } from './signing-error';

const NAME_DIGITS = 32;
// Off the event loop, on the thread pool.
const signOnThreadPool = promisify(sign);

export interface Signer {
  readonly domain: string;
  /** Leaf first. */
  readonly certificatePem: string;
  readonly fingerprint: string;
  readonly notAfter: Date;
  /** `opendsr-` or `opengdpr-`, 32 hex digits of the SHA-256 of `certificatePem`, `.pem`. */
  readonly publishedName: string;
  /** RSASSA-PKCS1-v1_5 with SHA-256 over exactly these bytes, Base64 on one line; off the event loop. */
  sign(body: Buffer): Promise<string>;
}

/** The files and the domain of a signer. */
export interface SignerSource {
  readonly keyFile: string;
  readonly chainFile: string;
  readonly domain: string;
  readonly publishedAs?: 'opendsr' | 'opengdpr';
}

interface SignerFiles extends SignerSource {
  readonly now: Date;
}

export interface SigningFileContents {
  readonly keyPem: string;
  readonly chainPem: string;
}

/** Rejects with a SigningError if every receiver would refuse the certificate. */
export async function loadSigner({ now, ...source }: SignerFiles): Promise<Signer> {
  return makeSigner(await readSigningFiles(source), source, now);
}

export async function readSigningFiles({ keyFile, chainFile }: SignerSource): Promise<SigningFileContents> {
  const [keyPem, chainPem] = await Promise.all([textOf(keyFile), textOf(chainFile)]);
  return { keyPem, chainPem };
}

/** Throws a SigningError on unfit contents. */
export function makeSigner(
  { keyPem, chainPem }: SigningFileContents,
  { keyFile, chainFile, domain, publishedAs = 'opendsr' }: SignerSource,
  now: Date,
): Signer {
  const key = rsaKey(keyFile, keyPem);
  const chain = chainOf(chainFile, chainPem);
  const leaf = checkedLeaf(chain, { key, keyFile, chainFile });
  refuseUnfit([leaf, ...chain.slice(1)], { chainFile, domain, now });
  const certificatePem = chain.map((certificate) => certificate.toString()).join('');
  return {
    domain,
    certificatePem,
    fingerprint: sha256(leaf.raw),
    notAfter: leaf.validToDate,
    publishedName: `${publishedAs}-${sha256(certificatePem).slice(0, NAME_DIGITS)}.pem`,
    sign: async (body) => (await signOnThreadPool('sha256', body, key)).toString('base64'),
  };
}

const sha256 = (bytes: Buffer | string): string => createHash('sha256').update(bytes).digest('hex');

/** A signer for each served version. */
export interface Signers {
  readonly v2: Signer;
  readonly v1?: Signer;
}

export interface SignerSources {
  readonly v2: SignerSource;
  readonly v1?: SignerSource;
}

export async function loadSigners(sources: SignerSources, now: Date): Promise<Signers> {
  const { v2, v1 } = withPublishedNames(sources);
  return { v2: await loadSigner({ ...v2, now }), ...(v1 && { v1: await loadSigner({ ...v1, now }) }) };
}

export const withPublishedNames = ({ v2, v1 }: SignerSources): SignerSources => ({
  v2: { ...v2, publishedAs: 'opendsr' },
  ...(v1 && { v1: { ...v1, publishedAs: 'opengdpr' } }),
});

async function textOf(file: string): Promise<string> {
  return readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new SigningError('unreadable', `${file} cannot be read (${error.code ?? error.name})`);
  });
}

function rsaKey(file: string, pem: string): KeyObject {
  const key = parsed(() => createPrivateKey(pem));
  if (!key) throw new SigningError('unreadable', `${file} does not hold an unencrypted private key in PEM form`);
  if (isFitRsaKey(key)) return key;
  const bits = key.asymmetricKeyDetails?.modulusLength ?? 0;
  throw new SigningError(
    'key-unfit',
    `the key in ${file} is ${key.asymmetricKeyType} of ${bits} bits: RSA of at least ${MIN_MODULUS_BITS} bits is needed`,
    ['key-unfit'],
  );
}

function chainOf(file: string, pem: string): X509Certificate[] {
  const chain = parsed(() => readCertificates(pem));
  if (!chain?.length)
    throw new SigningError('unreadable', `${file} does not hold certificates in PEM form`, ['malformed']);
  return chain;
}

/** Errors of parsers may quote their input, which is secret here. */
function parsed<T>(parse: () => T): T | undefined {
  try {
    return parse();
  } catch {
    return undefined;
  }
}

interface Origin {
  readonly key: KeyObject;
  readonly keyFile: string;
  readonly chainFile: string;
}

function checkedLeaf(chain: X509Certificate[], { key, keyFile, chainFile }: Origin): X509Certificate {
  const [leaf] = chain;
  if (!leaf?.checkPrivateKey(key)) {
    const later = chain.some((certificate) => certificate.checkPrivateKey(key));
    const advice = later ? 'the certificate of the key must stand first' : 'no certificate there belongs to the key';
    throw new SigningError(
      'key-mismatch',
      `the first certificate in ${chainFile} is not that of ${keyFile}: ${advice}`,
    );
  }
  chain.forEach((certificate, i) => {
    const issuer = chain[i + 1];
    if (issuer && !isIssuedBy(certificate, issuer)) {
      throw new SigningError('chain-order', `certificate ${i + 1} in ${chainFile} is not issued by the one after it`);
    }
  });
  return leaf;
}
