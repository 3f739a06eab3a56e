export { createAdapter, EdgeAdapter, type AdapterOptions } from './adapter';
export {
  alreadyExists,
  ApiError,
  badRequest,
  conflict,
  enoughFaults,
  errorOfStatus,
  type Fault,
  forbidden,
  gone,
  invalid,
  invalidOperation,
  namedFaults,
  notFound,
  preconditionFailed,
  preconditionRequired,
  tooManyRequests,
  unauthorized,
  unavailable,
} from './api-error';
export { setCallerClass, CLIENT_CLOSED, type OnAnswered } from './answered';
export { beforeBody } from './before-body';
export { Characters } from './characters';
export type { CallLimiter } from './call-limiter';
export type { ConnectionLimiter, RefusedFor } from './connection-limiter';
export { type ApiDocument, DOCS_ROUTES } from './docs/api-document';
export * from './docs/describe';
export * from './docs/schemas';
export { serveDocs } from './docs/serve-docs';
export * from './egress';
export {
  ERROR_BODY,
  errorBody,
  errorContentType,
  INGEST_ERROR_BODY,
  ingestErrorBody,
  PROBLEM_BODY,
  problemBody,
} from './error-body';
export { pathOf } from './path-of';
export { entityTag, namesTag } from './entity-tag';
export { DsrErrorFilter, IngestErrorFilter, ProblemErrorFilter } from './error-filters';
export { expectRoom, limitBySource, limitFailures } from './limit-by-source';
export { defaultLimits, type HttpLimits } from './limits';
export { hasBody } from './linger';
export { isRawJSON, mayLoseDecimals, parseJson, parseJsonToWrite, rawJSON } from './lossless-json';
export { isNetwork } from './networks';
export type { Owns } from './route-methods';
export { sendAnswer, sendJson } from './send-json';
export { CallerGone, sendStream } from './send-stream';
export { SERVICE_TOKENS, serviceCredentials, ServiceTokenGuard, type ServiceTokens } from './service-token.guard';
export { BodyOf, isObject, validateBody } from './validate-body';
export { readWebApp, type WebAppFiles } from './web-app/read-web-app';
export { serveWebApp } from './web-app/serve-web-app';
