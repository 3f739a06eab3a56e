import type { KeyObject } from 'node:crypto';
import { masterKeyId } from './master-key-id';
import { VaultError } from './vault-error';
import { freshKey, unwrap, type FreshKey } from './wrap';

/** `by` names the master key that wraps the key, so that the master key can be rotated. */
export interface RootKeyDocument {
  readonly _id: string;
  readonly by: string;
  readonly wrapped: string;
  readonly at: Date;
}

export class MasterWrap {
  private readonly masterId: string;

  constructor(private readonly masterKey: KeyObject) {
    this.masterId = masterKeyId(masterKey);
  }

  wrapNewKey(id: string): FreshKey & { by: string } {
    return { ...freshKey(this.masterKey, this.aadOf(id)), by: this.masterId };
  }

  /** `id` is the one given to `wrapNewKey`. */
  open(id: string, document: Pick<RootKeyDocument, 'by' | 'wrapped'>): KeyObject {
    if (document.by !== this.masterId) {
      throw new VaultError(
        'master-key-wrong',
        `the keys in this database are wrapped by master key ${document.by}, but the configured one is ${this.masterId}`,
      );
    }
    const key = unwrap(this.masterKey, this.aadOf(id), document.wrapped);
    if (!key) throw new VaultError('key-unreadable', `the stored key ${id} does not open: it was altered`);
    return key;
  }

  private aadOf(id: string): string {
    return `root-key|${id}|${this.masterId}`;
  }
}
