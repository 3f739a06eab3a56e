import { type Hmac } from 'node:crypto';
import { pipeline, Transform, type Readable } from 'node:stream';
import { forbidden } from '@opendsr-service/edge';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { admit, type Caller } from './caller';
import { isSignature } from './signature';
import type { SignaturesStore } from './signatures.store';

const TOO_MANY = 429;
const SERVER_FAULT = 500;

/** Somebody who is let in once the body fits the signature. */
export interface PendingSignature {
  /** Asked where the signature fits alone. Undefined: the key is nobody's. */
  readonly caller: () => Promise<Caller | undefined>;
  readonly hmac: Hmac;
  readonly signature: string;
  /** How long its date holds, by the clock of any process. */
  readonly until: Date;
  /** Awaited where the signature does not fit. */
  readonly failed: () => Promise<void>;
}

const promises = new WeakMap<object, PendingSignature>();
const used = new WeakMap<object, { readonly ws: string; readonly signature: string }>();

export const expectSignedBody = (http: FastifyRequest, promised: PendingSignature): void =>
  void promises.set(http, promised);

/** Lets a caller in once `prove` is through, or throws. */
type LetIn = (prove: () => Promise<void>) => Promise<void>;

/** Where a signature is used up, and how its caller is let in. */
export interface SignedCalls {
  readonly signatures: Pick<SignaturesStore, 'use' | 'freeInTime'>;
  readonly letIn: LetIn;
}

/**
 * The body of a request as it is to be read: a signed one is checked while it passes, and ends in a 403 where it does
 * not fit, or came before.
 */
export function checkedBody(http: FastifyRequest, reply: FastifyReply, body: Readable, calls: SignedCalls): Readable {
  const promised = promises.get(http);
  if (!promised) return body;
  const checked = pipeline(body, check(http, promised, calls), () => undefined);
  // An answer such as 415 comes without reading; what is left must not stand in the way of the connection's next request.
  reply.raw.once('finish', () => checked.resume());
  return checked;
}

/** Whoever is told to come again may do so with the same bytes. Where the store is away, or late for the answer, they sign anew. */
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
      letIn(() => prove(http, promised, signatures)).then(() => {
        end();
      }, end);
    },
  });
}

async function prove(
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
