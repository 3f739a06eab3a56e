import { createHash } from 'node:crypto';
import type { Signer } from '@opendsr-service/signing';
import { LRUCache } from 'lru-cache';

/** Caches signatures of repeated answers. PKCS #1 v1.5 is deterministic, so an entry never goes stale. */
export class SignatureCache {
  private readonly kept: LRUCache<string, Promise<string>>;

  constructor(most: number) {
    this.kept = new LRUCache({ max: most });
  }

  /** Concurrent calls for the same bytes share one signature. */
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
