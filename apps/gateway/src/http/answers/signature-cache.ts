import { createHash } from 'node:crypto';
import type { Signer } from '@opendsr-service/signing';
import { LRUCache } from 'lru-cache';

/**
 * Signatures of answers that are read again and again: the same bytes under the same certificate are signed once. Nothing can go stale in
 * it, since PKCS #1 v1.5 gives the same signature each time.
 */
export class SignatureCache {
  private readonly kept: LRUCache<string, Promise<string>>;

  /** `most`: how many are kept; then those go that were not asked for longest. */
  constructor(most: number) {
    this.kept = new LRUCache({ max: most });
  }

  /** As `signer.sign`. Who asks while a signature is being made waits for that one. */
  sign(signer: Pick<Signer, 'fingerprint' | 'sign'>, bytes: Buffer): Promise<string> {
    const name = `${signer.fingerprint} ${createHash('sha256').update(bytes).digest('base64')}`;
    const known = this.kept.get(name);
    if (known) return known;
    const made = signer.sign(bytes);
    this.kept.set(name, made);
    made.catch(() => this.kept.delete(name));
    return made;
  }
}
