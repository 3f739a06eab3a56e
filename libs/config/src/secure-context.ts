import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls';
import type { ClientIdentity } from './file-contents';

/**
 * TLS 1.2 or later. `authorities` are trusted in addition to Node's. Throws where key and certificate do not match. Creation is
 * expensive: share it.
 */
export const secureContext = (authorities: readonly string[] | undefined, identity?: ClientIdentity): SecureContext =>
  createSecureContext({
    ...identity,
    minVersion: 'TLSv1.2',
    ...(authorities && { ca: [...getCACertificates('default'), ...authorities] }),
  });
