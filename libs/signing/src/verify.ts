import { constants, verify, X509Certificate, type KeyObject } from 'node:crypto';

const BASE64_LINE = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{4}|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{2}==)$/;

/**
 * A receiver's check of `X-OpenDSR-Signature`: RSASSA-PKCS1-v1_5 with SHA-256 over the bytes of the body, Base64 on one
 * line, under a public key or the first certificate of a PEM file. Malformed input is false. `checkCertificate` checks
 * the certificate.
 */
export function verifySignature(body: Uint8Array, signature: string, certificate: string | KeyObject): boolean {
  if (!BASE64_LINE.test(signature)) return false;
  try {
    const key = typeof certificate === 'string' ? new X509Certificate(certificate).publicKey : certificate;
    if (key.asymmetricKeyType !== 'rsa') return false;
    return verify('sha256', body, { key, padding: constants.RSA_PKCS1_PADDING }, Buffer.from(signature, 'base64'));
  } catch {
    return false;
  }
}
