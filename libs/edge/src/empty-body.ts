import type { IncomingMessage } from 'node:http';
import { type Readable, Transform } from 'node:stream';
import type { ApiError } from './api-error';

/** Chunked bodies announce no length. */
export const mayBeEmpty = ({ headers }: IncomingMessage): boolean => headers['transfer-encoding'] !== undefined;

export function onlyEmpty(body: Readable, fault: ApiError): Readable {
  const checked = new Transform({
    transform: (_chunk, _encoding, pass) => {
      pass(fault);
    },
  });
  body.once('error', (error) => checked.destroy(error));
  // A pipeline would close the connection before the answer.
  return body.pipe(checked);
}
