import mongoose from 'mongoose';
import type { Doc } from './bson';

const { MongoServerError } = mongoose.mongo;

/** The embedded store does not support this, and refuses rather than approximate it. */
export class EmbeddedUnsupported extends Error {
  override readonly name = 'EmbeddedUnsupported';

  constructor(what: string) {
    super(`The embedded store does not support ${what}`);
  }
}

export function serverError(code: number, message: string, more: Doc = {}): Error {
  return new MongoServerError({ ok: 0, code, message, errmsg: message, ...more });
}

/** E11000. Unlike MongoDB's, it does not hold the colliding values: they may be personal data. */
export function duplicateKeyError(index: string, keyPattern: Doc): Error {
  return serverError(11000, `E11000 duplicate key error index: ${index}`, { codeName: 'DuplicateKey', keyPattern });
}

export const badValue = (message: string): Error => serverError(2, message);
export const typeMismatch = (message: string): Error => serverError(14, message);
export const pathNotViable = (message: string): Error => serverError(28, message);
export const conflictingUpdate = (path: string): Error =>
  serverError(40, `Updating the path '${path}' would create a conflict at '${path}'`);
export const immutableField = (): Error =>
  serverError(66, "the (immutable) field '_id' was found to have been altered");
