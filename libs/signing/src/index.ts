export { certificateFacts, readCertificates } from './certificate';
export { makeCertificateRequest } from './certificate-request';
export {
  checkCertificate,
  examineCertificate,
  type CertificateFault,
  type CertificateFindings,
} from './check-certificate';
export {
  MAX_SIGNATURES,
  preAuthEncoding,
  readEnvelope,
  signEnvelope,
  type Envelope,
  type EnvelopeSignature,
} from './envelope';
export { expiryNotice } from './expiry';
export { issueCertificate, makeSandboxAuthority, type KeyAndCertificate } from './issue-certificate';
export {
  ensureSandboxCertificates,
  sandboxCertificatesIn,
  type CertificateFiles,
  type SandboxCertificates,
  type SandboxDomains,
} from './sandbox-certificates';
export { openSigning, type BeforeRenewal, type Signing } from './open-signing';
export { loadSigner, loadSigners, withPublishedNames, type Signer, type Signers, type SignerSource } from './signer';
export { SigningError } from './signing-error';
export { verifySignature } from './verify';
