import { REQUEST_STATUSES, type ApiVersion } from '@opendsr-service/contracts';
import type { CallbackBody } from './types';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

type Rule = (value: unknown) => boolean;
const isText: Rule = (value) => typeof value === 'string' && value !== '';
const isTime: Rule = (value) => typeof value === 'string' && TIME.test(value) && !Number.isNaN(Date.parse(value));
const isUuid: Rule = (value) => typeof value === 'string' && UUID.test(value);
const isOneOf =
  (words: readonly unknown[]): Rule =>
  (value) =>
    words.includes(value);
const isAbsentOr =
  (rule: Rule): Rule =>
  (value) =>
    value === undefined || value === null || rule(value);
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isExtension: Rule = (value) =>
  isObject(value) &&
  [value.domain, value.name, value.status].every(isText) &&
  isAbsentOr((message) => typeof message === 'string')(value.status_message);
const isExtensions: Rule = (value) => (Array.isArray(value) ? value.every(isExtension) : isObject(value));

/** Real processors omit or empty `api_version`, and send an object as `extensions`. */
const RULES: readonly (readonly [keyof CallbackBody, (version: ApiVersion) => Rule])[] = [
  ['controller_id', () => isText],
  ['expected_completion_time', () => isTime],
  ['status_callback_url', () => isText],
  ['subject_request_id', () => isUuid],
  ['request_status', () => isOneOf(REQUEST_STATUSES)],
  ['api_version', (version) => isAbsentOr(isOneOf(['', version]))],
  ['results_url', () => isAbsentOr(isText)],
  ['extensions', () => isAbsentOr(isExtensions)],
];

/** Returns the known fields, or the names of faulty ones. Call it after the signature was verified. */
export function readBody(rawBody: Uint8Array, version: ApiVersion): CallbackBody | string {
  const fields = fieldsOf(rawBody);
  if (!fields) return 'the body is not a JSON object in UTF-8';
  const wrong = RULES.filter(([name, rule]) => !rule(version)(fields[name])).map(([name]) => name);
  if (wrong.length > 0) return `the body has no valid ${wrong.join(', ')}`;
  const known = Object.fromEntries(RULES.map(([name]) => [name, fields[name] ?? null]));
  return { ...(known as unknown as CallbackBody), api_version: version };
}

function fieldsOf(rawBody: Uint8Array): Partial<Record<string, unknown>> | undefined {
  try {
    const parsed: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(rawBody));
    return isObject(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}
