import type { Identity } from '@opendsr-service/contracts';
import type { BlindIndex } from '@opendsr-service/vault';

/** Under what an identity is kept, and remembered once it was erased. An mpid is remembered alike, though it is kept nowhere. */
export const identityId = (ws: string, index: BlindIndex, { type, value }: Identity): string =>
  `${ws}:${index.hash('identity', type, value)}`;

/** Under what a device is kept for whoever uses it without being logged in. */
export const anonymousId = (ws: string, index: BlindIndex, { type, value }: Identity): string =>
  `${ws}:${index.hash('anonymous', type, value)}`;

const UNVERIFIED = ':unverified';

/** Under what an identity is kept as the public key alone asserts it (decision 18). `id`: that of the identity itself. */
export const unverifiedId = (id: string): string => `${id}${UNVERIFIED}`;

export const isUnverifiedId = (id: string): boolean => id.endsWith(UNVERIFIED);

/** The id of the identity itself, whoever asserted it. */
export const verifiedId = (id: string): string => (isUnverifiedId(id) ? id.slice(0, -UNVERIFIED.length) : id);
