import { type Hmac } from 'node:crypto';
import { pipeline, Transform, type Readable } from 'node:stream';
import { forbidden } from '@opendsr-service/edge';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { admit, type Caller } from './caller';
import { isSignature } from './signature';

/** Somebody who is let in once the body fits the signature. */
export interface Promised {
  readonly caller: Caller;
  readonly hmac: Hmac;
  readonly signature: string;
}

const promises = new WeakMap<object, Promised>();

export const expectSignedBody = (http: FastifyRequest, promised: Promised): void => void promises.set(http, promised);

/** Lets a caller in once `prove` is through, or throws. */
type LetIn = (prove: () => Promise<void>) => Promise<void>;

/** The body of a request as it is to be read: a signed one is checked while it passes, and ends in a 403 where it does not fit. */
export function checkedBody(http: FastifyRequest, reply: FastifyReply, body: Readable, letIn: LetIn): Readable {
  const promised = promises.get(http);
  if (!promised) return body;
  const checked = pipeline(body, check(http, promised, letIn), () => undefined);
  // An answer such as 415 comes without reading; what is left must not stand in the way of the connection's next request.
  reply.raw.once('finish', () => checked.resume());
  return checked;
}

function check(http: FastifyRequest, { caller, hmac, signature }: Promised, letIn: LetIn): Transform {
  return new Transform({
    transform: (chunk: Buffer, _encoding, pass) => {
      hmac.update(chunk);
      pass(null, chunk);
    },
    flush: (end) => {
      const prove = (): Promise<void> => {
        if (!isSignature(signature, hmac)) return Promise.reject(forbidden());
        admit(http, caller);
        return Promise.resolve();
      };
      letIn(prove).then(() => { end(); }, end);
    },
  });
}
