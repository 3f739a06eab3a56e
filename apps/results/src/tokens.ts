import type { Clock } from '@opendsr-service/service';

export const RESULTS_GROUP = Symbol('results');

/** How long a link is valid, and by which clock. */
export interface Validity {
  readonly clock: Clock;
  readonly validityMs: number;
}
export const VALIDITY = Symbol('validity');
