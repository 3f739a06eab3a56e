export { factsOf, readCertificates, type CertificateFacts } from './certificate';
export { makeCertificateRequest, type KeyAndRequest } from './certificate-request';
export { checkCertificate, type CertificateExpectation, type CertificateFault } from './check-certificate';
export { issueCertificate, makeSandboxAuthority, type AuthorityWish, type CertificateWish, type KeyAndCertificate } from './issue';
export { ensureSandboxCertificates, sandboxCertificatesIn, type CertificateFiles, type SandboxCertificates, type SandboxDomains } from './sandbox-certificates';
export { loadSigner, loadSigners, type Signer, type SignerFiles, type Signers } from './signer';
export { SigningError, type SigningFault } from './signing-error';
export { verifySignature } from './verify';
