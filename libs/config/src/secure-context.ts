import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls';
import type { Identity } from './file-contents';

/** TLS 1.2 or later. `authorities` are trusted in addition to Node's. Creation is expensive: share it. */
export const secureContext = (
  authorities: readonly string[] | undefined,
  identity: Identity | undefined,
): SecureContext =>
  createSecureContext({
    ...identity,
    minVersion: 'TLSv1.2',
    ...(authorities && { ca: [...getCACertificates('default'), ...authorities] }),
  });
