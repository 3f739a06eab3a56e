import { STATUS_CODES } from 'node:http';
import type { Shape } from '@opendsr-service/contracts';
import type { ApiError } from './api-error';

export type ErrorStyle = 'dsr' | 'ingest';

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

export const errorBody = (error: ApiError): Shape<typeof ERROR_BODY> => ({
  code: error.status,
  message: error.message,
  errors: error.faults.map(({ domain, reason, message }) => ({ domain, reason, message })),
});

export function ingestErrorBody(error: ApiError): Shape<typeof INGEST_ERROR_BODY> {
  const code = (STATUS_CODES[error.status] ?? 'Error').toUpperCase().replaceAll(/[^A-Z]+/g, '_');
  return { errors: error.faults.map(({ message }) => ({ code, message })) };
}

export const errorBytes = (error: ApiError, style: ErrorStyle): Buffer =>
  Buffer.from(JSON.stringify(style === 'dsr' ? errorBody(error) : ingestErrorBody(error)));
