import { createPrivateKey, X509Certificate } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isIssuedBy, isInDate, readCertificates } from './certificate';
import {
  issueCertificate,
  makeSandboxAuthority,
  type CertificateOptions,
  type KeyAndCertificate,
} from './issue-certificate';
import { replacePrivateFile } from './private-file';
import { loadSigner } from './signer';
import { SigningError } from './signing-error';

const AUTHORITY_DAYS = 3650;
const LEAF_DAYS = 397;
const RENEW_BEFORE_MS = 30 * 24 * 3600 * 1000;

export interface CertificateFiles {
  readonly keyFile: string;
  readonly chainFile: string;
}

export interface SandboxCertificates {
  /** Trusted by users of the sandbox only. */
  readonly authorityFile: string;
  readonly v2: CertificateFiles;
  readonly v1: CertificateFiles;
  /** A TLS server certificate for localhost and the loopback addresses, for receivers in a demo. */
  readonly receiver: CertificateFiles;
}

export interface SandboxDomains {
  readonly domainV2: string;
  readonly domainV1: string;
  readonly now: Date;
}

/** Creates or renews a sandbox authority and its certificates in `dir` (mode 0600). Call it under the lock of the data folder. */
export async function ensureSandboxCertificates(
  dir: string,
  { domainV2, domainV1, now }: SandboxDomains,
): Promise<SandboxCertificates> {
  await mkdir(dir, { recursive: true, mode: 0o700 });
  const files = sandboxCertificatesIn(dir);
  const authority = await ensureAuthority(filesIn(dir, 'authority'), now);
  const leaf = (of: CertificateFiles, options: LeafOptions) =>
    ensureLeaf(of, { ...options, authority, days: LEAF_DAYS, now });
  await leaf(files.v2, { commonName: domainV2, dnsNames: [domainV2], usage: 'signing' });
  await leaf(files.v1, { commonName: domainV1, dnsNames: [domainV1], usage: 'signing' });
  await leaf(files.receiver, {
    commonName: 'localhost',
    dnsNames: ['localhost'],
    ipAddresses: ['127.0.0.1', '::1'],
    usage: 'server',
  });
  return files;
}

/** The files of `ensureSandboxCertificates`; creates nothing. */
export const sandboxCertificatesIn = (dir: string): SandboxCertificates => ({
  authorityFile: filesIn(dir, 'authority').chainFile,
  v2: filesIn(dir, 'v2'),
  v1: filesIn(dir, 'v1'),
  receiver: filesIn(dir, 'receiver'),
});

type LeafOptions = Pick<CertificateOptions, 'commonName' | 'dnsNames' | 'ipAddresses' | 'usage'>;

function filesIn(dir: string, name: string): CertificateFiles {
  return { keyFile: join(dir, `${name}.key`), chainFile: join(dir, `${name}.pem`) };
}

async function ensureAuthority(files: CertificateFiles, now: Date): Promise<KeyAndCertificate> {
  const kept = await readPair(files);
  if (kept && isUsableAuthority(kept, [now, later(now)])) return kept;
  const made = await makeSandboxAuthority({
    commonName: 'OpenDSR sandbox authority (not for production)',
    days: AUTHORITY_DAYS,
    now,
  });
  await writePair(files, made);
  return made;
}

function isUsableAuthority({ keyPem, certPem }: KeyAndCertificate, times: Date[]): boolean {
  try {
    const certificate = new X509Certificate(certPem);
    const isOurs = certificate.checkPrivateKey(createPrivateKey(keyPem)) && isIssuedBy(certificate, certificate);
    return isOurs && times.every((time) => isInDate(certificate, time));
  } catch {
    return false;
  }
}

async function ensureLeaf(files: CertificateFiles, options: CertificateOptions): Promise<void> {
  if (!(await isUsable(files, options))) await writePair(files, await issueCertificate(options));
}

async function isUsable(
  files: CertificateFiles,
  { authority, commonName: domain, now }: CertificateOptions,
): Promise<boolean> {
  try {
    await loadSigner({ ...files, domain, now });
    const { certificatePem } = await loadSigner({ ...files, domain, now: later(now) });
    const [leaf, issuer] = readCertificates(`${certificatePem}${authority.certPem}`);
    return leaf !== undefined && issuer !== undefined && isIssuedBy(leaf, issuer);
  } catch (error) {
    if (error instanceof SigningError) return false;
    throw error;
  }
}

const later = (now: Date) => new Date(now.getTime() + RENEW_BEFORE_MS);

async function readPair({ keyFile, chainFile }: CertificateFiles): Promise<KeyAndCertificate | undefined> {
  try {
    return { keyPem: await readFile(keyFile, 'utf8'), certPem: await readFile(chainFile, 'utf8') };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** After a crash between the two the next start replaces the mismatched pair. */
async function writePair(
  { keyFile, chainFile }: CertificateFiles,
  { keyPem, certPem }: KeyAndCertificate,
): Promise<void> {
  await replacePrivateFile(keyFile, keyPem);
  await replacePrivateFile(chainFile, certPem);
}
