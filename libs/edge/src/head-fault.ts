import type { IncomingMessage } from 'node:http';
import { type ApiError, badRequest, errorOfStatus, invalid } from './api-error';
import type { HttpLimits } from './limits';
import { decoded } from './path-of';

type Head = Pick<IncomingMessage, 'httpVersion' | 'headers' | 'rawHeaders' | 'url'>;

// Node keeps the first of several and drops the others, so two readers could see different values.
const single = new Set(['host', 'authorization', 'content-type', 'content-encoding']);
const hostText = /^[\w.~!$&'()*+,;=%:[\]-]*$/;

const namesOf = ({ rawHeaders }: Head): string[] =>
  rawHeaders.filter((_text, at) => at % 2 === 0).map((name) => name.toLowerCase());

function repeated(head: Head): boolean {
  const names = namesOf(head).filter((name) => single.has(name));
  return new Set(names).size < names.length;
}

function misframed({ httpVersion, headers }: Head): boolean {
  const coding = headers['transfer-encoding'];
  return coding !== undefined && (httpVersion !== '1.1' || coding.toLowerCase() !== 'chunked');
}

function messageOf(head: Head): string | undefined {
  const { httpVersion, headers } = head;
  // Fastify refuses such a path by itself, but takes such a query for other text.
  if (decoded(head.url) === undefined) return 'The address is not UTF-8 in percent-encoding.';
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return 'Only HTTP/1.1 and HTTP/1.0 are supported.';
  if (headers.host === undefined && httpVersion === '1.1') return 'The header Host is missing.';
  if (!hostText.test(headers.host ?? '')) return 'The header Host is not valid.';
  if (repeated(head)) return 'A header that may be given once is repeated.';
  return misframed(head) ? 'The header Transfer-Encoding must be chunked, or absent.' : undefined;
}

/** Finds what Node's parser accepts although it exceeds a limit or breaks HTTP. */
export function headFault(head: Head, limits: HttpLimits): ApiError | undefined {
  if ((head.url ?? '').length > limits.uriBytes) return errorOfStatus(414);
  if (head.rawHeaders.length / 2 > limits.headers) return errorOfStatus(431);
  const message = messageOf(head);
  return message === undefined ? undefined : badRequest([invalid(message)]);
}
