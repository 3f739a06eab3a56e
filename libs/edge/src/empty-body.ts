import type { IncomingMessage } from 'node:http';
import { type Readable, Transform } from 'node:stream';
import type { ApiError } from './api-error';

/** Whether only reading tells that a body is empty: chunks announce no length. */
export const mayBeEmpty = ({ headers }: IncomingMessage): boolean => headers['transfer-encoding'] !== undefined;

/** A body that is as it should be where it is empty, and otherwise ends in an error at its first byte. */
export function onlyEmpty(body: Readable, fault: ApiError): Readable {
  const checked = new Transform({
    transform: (_chunk, _encoding, pass) => {
      pass(fault);
    },
  });
  body.once('error', (error) => checked.destroy(error));
  // Not a pipeline, which would end the connection under its answer.
  return body.pipe(checked);
}
