import { STATUS_CODES } from 'node:http';
import type { Shape } from '@opendsr-service/contracts';
import type { ApiError } from './api-error';
import { jsonContentType } from './send-json';

export type ErrorStyle = 'dsr' | 'ingest' | 'problem';

/** The error body of the DSR interface (protocol, "Error body"). */
export const ERROR_BODY = {
  type: 'object',
  description:
    'The body of every answer that is no success (protocol, "Error body"). It repeats nothing that the caller sent.',
  additionalProperties: false,
  required: ['code', 'message', 'errors'],
  properties: {
    code: { type: 'integer', minimum: 400, maximum: 599, description: 'The HTTP status.' },
    message: { type: 'string', description: 'The fault, or how many there are.' },
    errors: {
      type: 'array',
      minItems: 1,
      description: 'Every fault that was found, each named by its path.',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['domain', 'reason', 'message'],
        properties: {
          domain: { type: 'string', description: 'What the fault is about, such as `Validation`.' },
          reason: { type: 'string', description: 'A code for programs, such as `InvalidOperationException`.' },
          message: { type: 'string', description: 'A sentence for people.' },
        },
      },
    },
  },
} as const;

/** The error body of the identity and events endpoints. */
export const INGEST_ERROR_BODY = {
  type: 'object',
  description: 'The body of every answer that is no success. It repeats nothing that the caller sent.',
  additionalProperties: false,
  required: ['errors'],
  properties: {
    errors: {
      type: 'array',
      minItems: 1,
      description: 'Every fault that was found, each named by its path.',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['code', 'message'],
        properties: {
          code: { type: 'string', description: 'The name of the HTTP status, such as `BAD_REQUEST`.' },
          message: { type: 'string', description: 'A sentence for people.' },
        },
      },
    },
  },
} as const;

/** The error body of the operator's API: problem details (RFC 9457). */
export const PROBLEM_BODY = {
  type: 'object',
  description: 'Problem details (RFC 9457). They repeat nothing that the caller sent.',
  additionalProperties: false,
  required: ['type', 'title', 'status', 'detail', 'errors'],
  properties: {
    type: { const: 'about:blank', description: 'The status says what kind of problem it is.' },
    title: { type: 'string', description: 'The name of the HTTP status.' },
    status: { type: 'integer', minimum: 400, maximum: 599, description: 'The HTTP status.' },
    detail: { type: 'string', description: 'The fault, or how many there are.' },
    errors: {
      type: 'array',
      minItems: 1,
      description: 'Every fault that was found.',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['reason', 'message'],
        properties: {
          reason: { type: 'string', description: 'A code for programs, such as `PreconditionFailedException`.' },
          message: { type: 'string', description: 'A sentence for people.' },
        },
      },
    },
  },
} as const;

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
