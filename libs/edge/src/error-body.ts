import { STATUS_CODES } from 'node:http';
import type { Shape } from '@opendsr-service/contracts';
import type { ApiError } from './api-error';
import { item, object, word } from './docs/schemas';
import { jsonContentType } from './send-json';

export type ErrorStyle = 'dsr' | 'ingest' | 'problem';

const status = { type: 'integer', minimum: 400, maximum: 599, description: 'The HTTP status.' } as const;
const sentence = word('A sentence for people.');

const faults = <const S extends object>(description: string, items: S) =>
  ({ type: 'array', minItems: 1, description, items }) as const;
const EVERY_FAULT = 'Every fault that was found, each named by its path.';

/** The error body of the DSR interface (protocol, "Error body"). */
export const ERROR_BODY = object(
  'The body of every answer that is no success (protocol, "Error body"). It repeats nothing that the caller sent.',
  {
    code: status,
    message: word('The fault, or how many there are.'),
    errors: faults(
      EVERY_FAULT,
      item({
        domain: word('What the fault is about, such as `Validation`.'),
        reason: word('A code for programs, such as `InvalidOperationException`.'),
        message: sentence,
      }),
    ),
  },
);

/** The error body of the identity and events endpoints. */
export const INGEST_ERROR_BODY = object(
  'The body of every answer that is no success. It repeats nothing that the caller sent.',
  {
    errors: faults(
      EVERY_FAULT,
      item({ code: word('The name of the HTTP status, such as `BAD_REQUEST`.'), message: sentence }),
    ),
  },
);

/** The error body of the operator's API: problem details (RFC 9457). */
export const PROBLEM_BODY = object('Problem details (RFC 9457). They repeat nothing that the caller sent.', {
  type: { const: 'about:blank', description: 'The status says what kind of problem it is.' },
  title: word('The name of the HTTP status.'),
  status,
  detail: word('The fault, or how many there are.'),
  errors: faults(
    'Every fault that was found.',
    item({ reason: word('A code for programs, such as `PreconditionFailedException`.'), message: sentence }),
  ),
});

export const errorBody = (error: ApiError): Shape<typeof ERROR_BODY> => ({
  code: error.status,
  message: error.message,
  errors: error.faults.map(({ domain, reason, message }) => ({ domain, reason, message })),
});

export function ingestErrorBody(error: ApiError): Shape<typeof INGEST_ERROR_BODY> {
  const code = (STATUS_CODES[error.status] ?? 'Error').toUpperCase().replaceAll(/[^A-Z]+/g, '_');
  return { errors: error.faults.map(({ message }) => ({ code, message })) };
}

export const problemBody = (error: ApiError): Shape<typeof PROBLEM_BODY> => ({
  type: 'about:blank',
  title: STATUS_CODES[error.status] ?? 'Error',
  status: error.status,
  detail: error.message,
  errors: error.faults.map(({ reason, message }) => ({ reason, message })),
});

const BODIES: Readonly<Record<ErrorStyle, (error: ApiError) => object>> = {
  dsr: errorBody,
  ingest: ingestErrorBody,
  problem: problemBody,
};

export const errorBytes = (error: ApiError, style: ErrorStyle): Buffer =>
  Buffer.from(JSON.stringify(BODIES[style](error)));

export const errorContentType = (style: ErrorStyle): string =>
  style === 'problem' ? 'application/problem+json' : jsonContentType;
