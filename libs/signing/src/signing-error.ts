export type SigningFault =
  | 'unreadable' // a file cannot be read, or holds neither key nor certificate
  | 'key-unfit' // not an RSA key of at least 2048 bits
  | 'key-mismatch' // the first certificate is not that of the key
  | 'chain-order' // a certificate is not issued by the one after it
  | 'names' // common name or alternative names lack the domain
  | 'dates'; // not valid now

/** Why a signing key and its certificates cannot be used. The message never holds key material. */
export class SigningError extends Error {
  override readonly name = 'SigningError';

  constructor(
    readonly kind: SigningFault,
    message: string,
  ) {
    super(message);
  }
}
