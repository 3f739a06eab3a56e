import { constants, verify, X509Certificate } from 'node:crypto';

const BASE64_LINE = /^[A-Za-z0-9+/]+={0,2}$/;

/**
 * A receiver's check of `X-OpenDSR-Signature`: RSASSA-PKCS1-v1_5 with SHA-256 over the exact bytes of the body, Base64 on one line, under
 * the first certificate of the PEM file. It says nothing about the certificate: that is `checkCertificate`. Malformed input is false.
 */
export function verifySignature(body: Buffer, signature: string, certificatePem: string): boolean {
  if (!BASE64_LINE.test(signature)) return false;
  try {
    const key = new X509Certificate(certificatePem).publicKey;
    if (key.asymmetricKeyType !== 'rsa') return false;
    return verify('sha256', body, { key, padding: constants.RSA_PKCS1_PADDING }, Buffer.from(signature, 'base64'));
  } catch {
    return false;
  }
}
