import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';
import { decrypt, encrypt } from './cipher';
import { masterKeyId } from './master-key-id';
import { VaultError } from './vault-error';

const KEY_BYTES = 32;

/** Needs only the master key, for processes without access to data keys (decision 4). `purpose` separates uses. */
export class MasterSeal {
  private readonly masterId: string;
  private readonly sealKey: KeyObject;

  constructor(private readonly masterKey: KeyObject) {
    this.masterId = masterKeyId(masterKey);
    this.sealKey = this.expand('master-seal');
  }

  seal(purpose: string, text: string): string {
    return `${this.masterId}.${encrypt(this.sealKey, purpose, text)}`;
  }

  /** Throws a VaultError: `master-key-wrong`, or `seal-broken` if the seal was altered or has another purpose. */
  open(purpose: string, sealed: string): string {
    const [by, body = ''] = sealed.split('.');
    if (by !== this.masterId)
      throw new VaultError('master-key-wrong', `the seal was not made by the configured master key ${this.masterId}`);
    const text = decrypt(this.sealKey, purpose, body);
    if (!text)
      throw new VaultError(
        'seal-broken',
        'the seal of the master key does not open: it was altered or made for another purpose',
      );
    return text.toString('utf8');
  }

  derive(purpose: string): KeyObject {
    return this.expand(`derived|${purpose}`);
  }

  private expand(info: string): KeyObject {
    return createSecretKey(Buffer.from(hkdfSync('sha256', this.masterKey, '', info, KEY_BYTES)));
  }
}

/**
 * Signs tombstones (decision 4). Of the master key, which is never rotated: their topic is kept for ever, and a restored copy
 * reads it from the begin.
 */
export const tombstoneKeyOf = (seal: MasterSeal): KeyObject => seal.derive('tombstone');

/** Signs leaves of the transparency log (decision 25), whose topic is kept for ever as well. */
export const leafKeyOf = (seal: MasterSeal): KeyObject => seal.derive('leaf');
