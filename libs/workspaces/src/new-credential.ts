import { randomBytes } from 'node:crypto';
import type { BasicCredentials } from './basic';

/** A new key with a 256-bit secret. Secret scanners find them by their prefixes. */
export function newCredential(): BasicCredentials {
  return {
    key: `dsrk_${randomBytes(16).toString('base64url')}`,
    secret: `dsrs_${randomBytes(32).toString('base64url')}`,
  };
}
