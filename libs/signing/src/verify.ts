import { constants, verify, X509Certificate, type KeyObject } from 'node:crypto';

const BASE64_LINE = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{4}|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{2}==)$/;

/** Verifies `X-OpenDSR-Signature`: RSASSA-PKCS1-v1_5 with SHA-256 over `body`, Base64 on one line. Malformed input is false. */
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
