import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls';

/** What a workspace shows to receivers that ask who calls: its key and its certificate with the chain, PEM. */
export interface ClientIdentity {
  readonly key: string;
  readonly cert: string;
}

/**
 * The TLS of connections to receivers: never below 1.2. `extraCa` (PEM) is trusted beside those that Node trusts. Throws on an identity whose key
 * does not fit its certificate. Made once for many connections: a context of a hundred authorities costs more than the rest of one.
 */
export const clientContext = (extraCa: string | undefined, identity: ClientIdentity | undefined): SecureContext =>
  createSecureContext({
    ...identity,
    minVersion: 'TLSv1.2',
    ...(extraCa !== undefined && { ca: [...getCACertificates('default'), extraCa] }),
  });
