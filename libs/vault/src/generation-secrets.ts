import type { KeyObject } from 'node:crypto';

/** Where the secrets of generations are kept: outside of the databases, and where a deletion is real (decision 26). */
export interface GenerationSecrets {
  /** Idempotent: concurrent and repeated calls agree on one secret. */
  create(generation: number): Promise<void>;
  /** Undefined: it was never made, or it is destroyed. Throws if that is unknown now. */
  read(generation: number): Promise<KeyObject | undefined>;
  /** Idempotent. Nobody can read the secret afterwards. */
  destroy(generation: number): Promise<void>;
}
