import type { IncomingHttpHeaders } from 'node:http';
import { type ApiError, errorOfStatus, unsupportedMediaType } from './api-error';

const jsonType = /^\s*application\/json\s*(?:;|$)/i;
const charset = /;\s*charset\s*=\s*"?([^";\s]*)/i;

function typeFault(type: string | undefined): ApiError | undefined {
  if (type === undefined || !jsonType.test(type)) return unsupportedMediaType();
  const named = charset.exec(type)?.[1]?.toLowerCase() ?? 'utf-8';
  return ['utf-8', 'utf8'].includes(named) ? undefined : unsupportedMediaType('The body must be in UTF-8.');
}

export function bodyFault(headers: IncomingHttpHeaders, bodyBytes: number): ApiError | undefined {
  const fault = typeFault(headers['content-type']);
  if (fault) return fault;
  const coding = headers['content-encoding']?.trim().toLowerCase() ?? '';
  if (coding !== '' && coding !== 'identity')
    return unsupportedMediaType('The body must not be compressed.', { 'accept-encoding': 'identity' });
  return Number(headers['content-length'] ?? 0) > bodyBytes ? errorOfStatus(413) : undefined;
}
