import type { X509Certificate } from 'node:crypto';
import {
  examineCertificate,
  preAuthEncoding,
  verifySignature,
  type Envelope,
  type EnvelopeSignature,
} from '@opendsr-service/signing';
import { certificateChecks } from '../verify/certificate-checks';
import { checked } from './checked';
import { subjectOf } from './read-file';
import type { AttestationCheck } from './types';

/** Who may have signed, and when. */
export interface SignerTrust {
  readonly domains: readonly string[];
  readonly trusted: readonly X509Certificate[];
  readonly at: Date;
}

/** `signer`: as the certificate names it, if all checks passed. */
export interface SignatureFindings {
  readonly checks: readonly AttestationCheck[];
  readonly signer: { readonly domain: string; readonly signedBy: string } | undefined;
}

/** The checks of the first signature that passes them, else those of the first one: DSSE allows signatures of others beside it. */
export function signatureChecks(envelope: Envelope, trust: SignerTrust): SignatureFindings {
  let first: SignatureFindings | undefined;
  for (const signature of envelope.signatures)
    for (const domain of trust.domains) {
      const found = checksOf(envelope, signature, { ...trust, domain });
      if (found.signer) return found;
      first ??= found;
    }
  const none = { checks: [checked('certificate', false, 'the envelope holds a signature')], signer: undefined };
  return first ?? none;
}

function checksOf(
  { payloadType, payload }: Envelope,
  { signature, certificatePem = '' }: EnvelopeSignature,
  { domain, trusted, at }: SignerTrust & { readonly domain: string },
): SignatureFindings {
  const examined = examineCertificate(certificatePem, { domain, trusted, now: at });
  const checks: AttestationCheck[] = certificateChecks(examined, 'the envelope');
  if (!examined.leaf || examined.faults.length > 0) return { checks, signer: undefined };
  const isSigned = verifySignature(preAuthEncoding(payloadType, payload), signature, examined.leaf.publicKey);
  const signed = checked('signature', isSigned, 'RSA with SHA-256 over type and payload');
  const signer = isSigned ? { domain, signedBy: subjectOf(examined.leaf) } : undefined;
  return { checks: [...checks, signed], signer };
}
