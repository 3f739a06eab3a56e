import type { RequestType } from '@opendsr-service/contracts';

/** How long requests wait for their start in a simulated world. */
export const WAITS_MS: Readonly<Record<RequestType, number>> = { access: 20_000, portability: 30_000, erasure: 40_000 };
export const LONGEST_WAIT_MS = Math.max(...Object.values(WAITS_MS));
