import type { KeyObject } from 'node:crypto';
import type { GenerationSecrets } from './generation-secrets';
import { masterKeyId } from './master-key-id';

/** A service that holds keys which never leave it: seals the master key, and keeps the secrets of generations. */
export interface KeyService {
  /** What `MASTER_KEY_FILE` holds for this service. */
  seal(bytes: Buffer): Promise<string>;
  unseal(sealed: string): Promise<Buffer>;
  /** Those of the installation with this master key: no other one reads, makes or destroys them. */
  generationsOf(masterKey: KeyObject): GenerationSecrets;
}

/** What the names of an installation's generations begin with, at a key service that several installations may share. */
export const generationNames = (key: string, masterKey: KeyObject): string =>
  `${key}-generation-${masterKeyId(masterKey)}`;

/** The service does not answer, or cannot work now. The same call may succeed later. */
export class KeyServiceAway extends Error {
  override readonly name = 'KeyServiceAway';
  readonly holdsNoValues = true;
}
