import { createHash } from 'node:crypto';
import type { Signer } from '@opendsr-service/signing';
import { LRUCache } from 'lru-cache';
import type { ServedVersion } from '../../versions/served-version';
import { withHeaders, type SignedAnswer } from './signed-answer';

type SignatureMaker = Pick<Signer, 'fingerprint' | 'sign'>;

const nameOf = ({ fingerprint }: SignatureMaker, bytes: Buffer): string =>
  createHash('sha256').update(`${fingerprint}\n`).update(bytes).digest().toString('latin1');

/**
 * Caches signatures of repeated answers, by certificate and content. PKCS #1 v1.5 is deterministic, so an entry never
 * goes stale. Digests and signatures are held as strings of one byte a character: a Buffer of 256 bytes takes 570.
 */
export class SignatureCache {
  private readonly kept: LRUCache<string, string>;
  private readonly pending = new Map<string, Promise<string>>();

  constructor(most: number) {
    // With `max` it would allocate all entries at once.
    this.kept = new LRUCache({ maxSize: most, sizeCalculation: () => 1 });
  }

  /** Bytes that were signed before are not signed again. */
  async answer(processor: ServedVersion, bytes: Buffer): Promise<SignedAnswer> {
    return withHeaders(processor, bytes, await this.sign(processor.signer, bytes));
  }

  /** Concurrent calls for the same bytes share one signature. */
  async sign(signer: SignatureMaker, bytes: Buffer): Promise<string> {
    const name = nameOf(signer, bytes);
    const known = this.kept.get(name);
    if (known !== undefined) return Buffer.from(known, 'latin1').toString('base64');
    return this.pending.get(name) ?? this.make(name, signer, bytes);
  }

  private make(name: string, signer: SignatureMaker, bytes: Buffer): Promise<string> {
    const made = signer
      .sign(bytes)
      .then((signature) => {
        this.kept.set(name, Buffer.from(signature, 'base64').toString('latin1'));
        return signature;
      })
      .finally(() => this.pending.delete(name));
    this.pending.set(name, made);
    return made;
  }
}
