import { STATUS_CODES } from 'node:http';
import type { ApiError } from './api-error';

/** Which of the two error bodies a path answers with: the DSR interface's, or that of the ingestion endpoints. */
export type ErrorStyle = 'dsr' | 'ingest';

/** The error body of the DSR interface ("Error body"). */
export function errorBody(error: ApiError) {
  return { code: error.status, message: error.message, errors: error.faults.map(({ domain, reason, message }) => ({ domain, reason, message })) };
}

/** The error body of the identity and events endpoints: the code is the name of the status. */
export function ingestErrorBody(error: ApiError) {
  const code = (STATUS_CODES[error.status] ?? 'Error').toUpperCase().replaceAll(/[^A-Z]+/g, '_');
  return { errors: error.faults.map(({ message }) => ({ code, message })) };
}

/** The exact bytes of an error answer in a style. */
export const errorBytes = (error: ApiError, style: ErrorStyle): Buffer =>
  Buffer.from(JSON.stringify(style === 'dsr' ? errorBody(error) : ingestErrorBody(error)));
