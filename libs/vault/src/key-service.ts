import type { GenerationSecrets } from './generation-secrets';

/** A service that holds keys which never leave it: seals the master key, and keeps the secrets of generations. */
export interface KeyService {
  /** What `MASTER_KEY_FILE` holds for this service. */
  seal(bytes: Buffer): Promise<string>;
  unseal(sealed: string): Promise<Buffer>;
  readonly generations: GenerationSecrets;
}

/** The service does not answer, or cannot work now. The same call may succeed later. */
export class KeyServiceAway extends Error {
  override readonly name = 'KeyServiceAway';
  readonly holdsNoValues = true;
}
