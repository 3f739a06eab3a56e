export { certificateFacts, readCertificates, type CertificateFacts } from './certificate';
export { makeCertificateRequest, type KeyAndRequest } from './certificate-request';
export {
  checkCertificate,
  examineCertificate,
  type CertificateExpectation,
  type CertificateFault,
  type CertificateFindings,
} from './check-certificate';
export { expiryNotice, type ExpiryNotice } from './expiry';
export {
  issueCertificate,
  makeSandboxAuthority,
  type AuthorityOptions,
  type CertificateOptions,
  type KeyAndCertificate,
} from './issue-certificate';
export {
  ensureSandboxCertificates,
  sandboxCertificatesIn,
  type CertificateFiles,
  type SandboxCertificates,
  type SandboxDomains,
} from './sandbox-certificates';
export {
  openSigning,
  type BeforeRenewal,
  type Signing,
  type SigningGauge,
  type SigningLogger,
  type SigningOptions,
} from './open-signing';
export {
  loadSigner,
  loadSigners,
  withPublishedNames,
  type Signer,
  type SignerFiles,
  type Signers,
  type SignerSource,
  type SignerSources,
} from './signer';
export { SigningError, type SigningFault } from './signing-error';
export { verifySignature } from './verify';
