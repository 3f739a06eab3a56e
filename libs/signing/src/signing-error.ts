import type { CertificateFault } from './check-certificate';

export type SigningFault =
  | 'unreadable' // a file cannot be read, or holds neither key nor certificate
  | 'key-unfit' // not an RSA key of at least 2048 bits
  | 'key-mismatch' // the first certificate is not that of the key
  | 'chain-order' // a certificate is not issued by the one after it
  | 'chain' // self-signed, or leads to no authority
  | 'names' // common name or alternative names are not the domain
  | 'dates' // not valid now
  | 'usage'; // not for digital signatures

/** Why a signing key and its certificates are unusable. The message never holds key material. */
export class SigningError extends Error {
  override readonly name = 'SigningError';

  constructor(
    readonly kind: SigningFault,
    message: string,
    /** Faults that receivers would find too. */
    readonly faults: readonly CertificateFault[] = [],
  ) {
    super(message);
  }
}
