import {
  commonNames,
  dnsNames,
  isFitRsa,
  isInDate,
  isSelfSigned,
  readCertificates,
  signsDigitally,
  type Certificate,
} from './certificate';
import { fromBase64, type Bytes } from './bytes';
import { pathOf } from './chain';
import type { Check, SignerCheck } from './checks';

/** Real chains have two to four. */
const MAX_CERTIFICATES = 8;
const RSA = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' } as const;

/** Who may have signed, and when. */
export interface SignerTrust {
  readonly domain: string;
  readonly trusted: readonly Certificate[];
  readonly at: Date;
}

interface Signed {
  readonly bytes: Bytes;
  readonly signature: string;
  readonly certificatePem: string;
}

/** The checks of a signature and of its certificate, up to the first that fails. */
export async function signatureChecks(
  { bytes, signature, certificatePem }: Signed,
  trust: SignerTrust,
): Promise<readonly Check<SignerCheck>[]> {
  const [leaf, ...others] = certificatesIn(certificatePem);
  if (!leaf || others.length >= MAX_CERTIFICATES) return [{ check: 'certificate', passed: false }];
  const checks: Check<SignerCheck>[] = [{ check: 'certificate', passed: true, of: leaf.subject }];
  for (const [check, judge] of JUDGES) {
    const passed = await judge(leaf, others, trust);
    checks.push({ check, passed });
    if (!passed) return checks;
  }
  return [...checks, { check: 'signature', passed: await isSigned(bytes, signature, leaf) }];
}

type Judge = (leaf: Certificate, others: readonly Certificate[], trust: SignerTrust) => boolean | Promise<boolean>;

const JUDGES: readonly (readonly [SignerCheck, Judge])[] = [
  [
    'chain',
    async (leaf, others, trust) => !(await isSelfSigned(leaf)) && (await pathOf(leaf, others, trust)).length > 0,
  ],
  [
    'names',
    (leaf, _others, { domain }) =>
      commonNames(leaf).length === 1 && commonNames(leaf)[0] === domain && dnsNames(leaf).includes(domain),
  ],
  ['dates', (leaf, _others, { at }) => isInDate(leaf, at)],
  ['usage', (leaf) => signsDigitally(leaf) && isFitRsa(leaf)],
];

function certificatesIn(pem: string): readonly Certificate[] {
  try {
    return readCertificates(pem);
  } catch {
    return [];
  }
}

async function isSigned(bytes: Bytes, signature: string, { publicKey }: Certificate): Promise<boolean> {
  const given = fromBase64(signature);
  if (!given) return false;
  const key = await publicKey.export(RSA, ['verify']);
  return crypto.subtle.verify(RSA, key, given, bytes);
}
