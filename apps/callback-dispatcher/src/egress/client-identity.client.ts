import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls';

/** A workspace's client key and certificate chain, PEM. */
export interface ClientIdentity {
  readonly key: string;
  readonly cert: string;
}

/** Throws where key and certificate do not match. Shared by connections: creating a context is expensive. */
export const clientContext = (extraCa: string | undefined, identity: ClientIdentity | undefined): SecureContext =>
  createSecureContext({
    ...identity,
    minVersion: 'TLSv1.2',
    ...(extraCa !== undefined && { ca: [...getCACertificates('default'), extraCa] }),
  });
