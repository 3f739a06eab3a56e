import { randomBytes } from 'node:crypto';
import type { BasicCredentials } from './basic';

/** A fresh key and its 256-bit secret. The prefixes let people and secret scanners tell what they look at. */
export function newCredential(): BasicCredentials {
  return {
    key: `dsrk_${randomBytes(16).toString('base64url')}`,
    secret: `dsrs_${randomBytes(32).toString('base64url')}`,
  };
}
