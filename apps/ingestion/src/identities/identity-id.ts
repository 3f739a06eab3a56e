import type { Identity } from '@opendsr-service/contracts';
import type { BlindIndex } from '@opendsr-service/vault';

/** The `_id` of an identity. An mpid has one too, but only among the erased identities. */
export const identityId = (ws: string, index: BlindIndex, { type, value }: Identity): string =>
  `${ws}:${index.hash('identity', type, value)}`;

/** The `_id` of a device that a data subject uses without login. */
export const anonymousId = (ws: string, index: BlindIndex, { type, value }: Identity): string =>
  `${ws}:${index.hash('anonymous', type, value)}`;

const UNVERIFIED = ':unverified';

/** The `_id` of an identity that the public key alone asserts (decision 18). `id`: the verified one. */
export const unverifiedId = (id: string): string => `${id}${UNVERIFIED}`;

export const isUnverifiedId = (id: string): boolean => id.endsWith(UNVERIFIED);

export const verifiedId = (id: string): string => (isUnverifiedId(id) ? id.slice(0, -UNVERIFIED.length) : id);
