import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls';
import type { Identity } from './file-contents';

/**
 * The TLS of connections to a store, never below 1.2: `authorities` are trusted beside those that Node trusts, `identity` is shown. Made once
 * for all connections, for the authorities are a hundred and more.
 */
export const secureContext = (
  authorities: readonly string[] | undefined,
  identity: Identity | undefined,
): SecureContext =>
  createSecureContext({
    ...identity,
    minVersion: 'TLSv1.2',
    ...(authorities && { ca: [...getCACertificates('default'), ...authorities] }),
  });
