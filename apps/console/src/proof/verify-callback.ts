import { parsedJson, type Bytes } from './bytes';
import { readCertificates } from './certificate';
import { verdictOf, type Check, type SignerCheck, type Verdict } from './checks';
import { signatureChecks } from './signature-checks';

/** The checks of a callback, in the order in which they run; a part of those of libs/client (no revocation list is asked for). */
export type CallbackCheck = 'headers' | 'domain' | SignerCheck | 'body' | 'url';

interface Arrived {
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Bytes;
}

interface Expected {
  readonly domains: readonly string[];
  readonly authorities: string;
  /** PEM, as discovery names it. */
  readonly certificatePem: string;
  readonly callbackUrl: string;
  readonly now: Date;
}

const DOMAIN = 'x-opendsr-processor-domain';
const SIGNATURE = 'x-opendsr-signature';

/** Verifies that the processor sent a callback of version 2 with these bytes, for this address. */
export async function verifyCallback({ headers, body }: Arrived, expected: Expected): Promise<Verdict<CallbackCheck>> {
  const { [DOMAIN]: domain, [SIGNATURE]: signature } = headers;
  if (domain === undefined || signature === undefined)
    return verdictOf<CallbackCheck>([{ check: 'headers', passed: false }]);
  const isKnown = expected.domains.includes(domain);
  const first: readonly Check<CallbackCheck>[] = [
    { check: 'headers', passed: true },
    { check: 'domain', passed: isKnown, of: domain },
  ];
  if (!isKnown) return verdictOf<CallbackCheck>(first);
  const signed = { bytes: body, signature, certificatePem: expected.certificatePem };
  const trust = { domain, trusted: readCertificates(expected.authorities), at: expected.now };
  const signer = await signatureChecks(signed, trust);
  const content = parsedJson(body) as { status_callback_url?: unknown } | undefined;
  return verdictOf<CallbackCheck>([
    ...first,
    ...signer,
    { check: 'body', passed: typeof content === 'object' && content !== null },
    { check: 'url', passed: content?.status_callback_url === expected.callbackUrl },
  ]);
}
