import type { Identity } from '@opendsr-service/contracts';
import type { BlindIndex } from '@opendsr-service/vault';

/** Under what an identity is kept, and remembered once it was erased. An mpid is remembered alike, though it is kept nowhere. */
export const identityId = (ws: string, index: BlindIndex, { type, value }: Identity): string => `${ws}:${index.of('identity', type, value)}`;

/** Under what a device is kept for whoever uses it without being logged in. */
export const anonymousId = (ws: string, index: BlindIndex, { type, value }: Identity): string => `${ws}:${index.of('anonymous', type, value)}`;
