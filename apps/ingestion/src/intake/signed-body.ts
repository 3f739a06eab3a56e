import { type Hmac } from 'node:crypto';
import { pipeline, Transform, type Readable } from 'node:stream';
import { forbidden } from '@opendsr-service/edge';
import type { FastifyReply, FastifyRequest } from 'fastify';
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

type LetIn = (prove: () => Promise<void>) => Promise<void>;

export interface SignedCalls {
  readonly signatures: Pick<SignaturesStore, 'use' | 'freeInTime'>;
  readonly letIn: LetIn;
}

/** Checks a signed body while it is read. A body that does not match, or was sent before, ends in a 403. */
export function checkedBody(http: FastifyRequest, reply: FastifyReply, body: Readable, calls: SignedCalls): Readable {
  const promised = promises.get(http);
  if (!promised) return body;
  const checked = pipeline(body, check(http, promised, calls), () => undefined);
  // An answer such as 415 comes before the body is read. The rest must not block the next request of the connection.
  reply.raw.once('finish', () => checked.resume());
  return checked;
}

/** After a 429 or 5xx the caller may repeat the same bytes. If the store is away, the caller must sign again. */
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

function check(http: FastifyRequest, promised: PendingSignature, { letIn, signatures }: SignedCalls): Transform {
  return new Transform({
    transform: (chunk: Buffer, _encoding, pass) => {
      promised.hmac.update(chunk);
      pass(null, chunk);
    },
    flush: (end) => {
      letIn(() => proveSignature(http, promised, signatures)).then(() => {
        end();
      }, end);
    },
  });
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
