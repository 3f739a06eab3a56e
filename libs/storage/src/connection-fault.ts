/** Why a server refuses its client. Only `hung-up` may be transient. */
export type ConnectionFaultKind =
  | 'authentication'
  | 'authorization'
  | 'untrusted'
  | 'expired'
  | 'host-name'
  | 'client-certificate'
  | 'tls'
  | 'hung-up';

const meanings: Readonly<Record<ConnectionFaultKind, string>> = {
  authentication: 'it does not accept the user, the password, the mechanism or the certificate',
  authorization: 'it does not allow the user what the service needs',
  untrusted: 'its certificate is not from an authority that is trusted here',
  expired: 'its certificate is not valid now',
  'host-name': 'its certificate is made out to another name than the one that it is called by',
  'client-certificate': 'it wants a client certificate, or another one than it was shown',
  tls: 'no TLS came about with it',
  'hung-up': 'it ends the connection: it may want TLS, a client certificate or a log-in, or is just stopping',
};

/** A server responds but refuses access. The message holds no address and no secret; the cause may. */
export class ConnectionFault extends Error {
  override readonly name = 'ConnectionFault';
  readonly holdsNoValues = true;
  /** What the server did. */
  readonly why: string;

  /** `needs`: the right that is missing, where it is known. */
  constructor(
    readonly server: 'Kafka' | 'MongoDB',
    readonly kind: ConnectionFaultKind,
    { needs, ...options }: ErrorOptions & { readonly needs?: string } = {},
  ) {
    const why = `${meanings[kind]}${needs === undefined ? '' : `: ${needs}`} (${kind})`;
    super(`${server}: ${why}`, options);
    this.why = why;
  }
}

const untrusted = new Set([
  'CERT_REVOKED',
  'CERT_SIGNATURE_FAILURE',
  'CERT_UNTRUSTED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'INVALID_CA',
  'INVALID_PURPOSE',
  'PATH_LENGTH_EXCEEDED',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

/** What Node's code of a TLS error means; undefined for every other error. */
export function tlsFault(code: unknown): ConnectionFaultKind | undefined {
  if (typeof code !== 'string') return undefined;
  if (untrusted.has(code)) return 'untrusted';
  if (code === 'CERT_HAS_EXPIRED' || code === 'CERT_NOT_YET_VALID') return 'expired';
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return 'host-name';
  // The server reports in an alert that it rejects our certificate.
  if (/^ERR_SSL_.*ALERT.*(CERTIFICATE|UNKNOWN_CA)/.test(code)) return 'client-certificate';
  return code === 'EPROTO' || code.startsWith('ERR_SSL_') ? 'tls' : undefined;
}
