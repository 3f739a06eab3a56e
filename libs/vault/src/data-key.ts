import type { KeyObject } from 'node:crypto';
import { decrypt, encrypt } from './cipher';
import { VaultError } from './vault-error';

/** Binds a sealed value to its subject and field. In another context the seal does not open. */
export interface SealContext {
  readonly ws: string;
  readonly subject: string;
  readonly field: string;
}

export interface DataKey {
  readonly kid: string;
  seal(context: SealContext, plaintext: string | Buffer): string;
  /** Throws a VaultError `seal-broken` when the seal was altered or belongs to another context or key. */
  open(context: SealContext, sealed: string): Buffer;
}

export function dataKey(kid: string, key: KeyObject): DataKey {
  return {
    kid,
    seal: (context, plaintext) => encrypt(key, aadOf(context, kid), plaintext),
    open: (context, sealed) => {
      const plaintext = decrypt(key, aadOf(context, kid), sealed);
      if (!plaintext)
        throw new VaultError('seal-broken', `the seal of field ${context.field} does not open with key ${kid}`);
      return plaintext;
    },
  };
}

function aadOf({ ws, subject, field }: SealContext, kid: string): string {
  // With a separator inside a part, two contexts could share one AAD.
  if (ws.includes('|') || subject.includes('|') || field.includes('|'))
    throw new TypeError('a seal context may not contain |');
  return `${ws}|${subject}|${field}|${kid}`;
}
