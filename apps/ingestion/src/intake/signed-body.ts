import { type Hmac } from 'node:crypto';
import { forbidden } from '@opendsr-service/edge';
import type { FastifyRequest } from 'fastify';
import { admit, type Caller } from './caller';
import { isSignature } from './signature';
import type { SignaturesStore } from './signatures.store';

const TOO_MANY = 429;
const SERVER_FAULT = 500;

export interface PendingSignature {
  /** Called only if the signature matches. Undefined: the key is unknown. */
  readonly caller: () => Promise<Caller | undefined>;
  readonly hmac: Hmac;
  readonly signature: string;
  /** When its date expires, by the clock of any process. */
  readonly until: Date;
  readonly failed: () => Promise<void>;
}

const promises = new WeakMap<object, PendingSignature>();
const used = new WeakMap<object, { readonly ws: string; readonly signature: string }>();

export const expectSignedBody = (http: FastifyRequest, promised: PendingSignature): void =>
  void promises.set(http, promised);

/** The proof of a call whose body has come; undefined: none is awaited. The body is not parsed before. */
export function proofOfBody(
  http: FastifyRequest,
  signatures: Pick<SignaturesStore, 'use'>,
): (() => Promise<void>) | undefined {
  const promised = promises.get(http);
  if (!promised) return undefined;
  promised.hmac.update(http.rawBody ?? '');
  return () => proveSignature(http, promised, signatures);
}

/**
 * After a 429 or 5xx the caller may repeat the same bytes, although a 5xx may have been taken. If the store is away, the
 * caller must sign again.
 */
export async function freeUntaken(
  http: FastifyRequest,
  status: number,
  signatures: Pick<SignaturesStore, 'freeInTime'>,
): Promise<void> {
  const mine = used.get(http);
  if (!mine || (status !== TOO_MANY && status < SERVER_FAULT)) return;
  used.delete(http);
  await signatures.freeInTime(mine.ws, mine.signature);
}

/** Throws a 403 unless the signature is that of all that `hmac` was given, and new. */
export async function proveSignature(
  http: FastifyRequest,
  promised: PendingSignature,
  signatures: Pick<SignaturesStore, 'use'>,
): Promise<void> {
  const { hmac, signature, until, failed } = promised;
  const caller = isSignature(signature, hmac) ? await promised.caller() : undefined;
  if (!caller) {
    await failed();
    throw forbidden();
  }
  if (!(await signatures.use(caller.ws, signature, until))) throw forbidden();
  used.set(http, { ws: caller.ws, signature });
  admit(http, caller);
}
