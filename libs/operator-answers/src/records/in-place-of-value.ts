import type { LogRecord } from '@opendsr-service/messaging';
import { count, word } from '@opendsr-service/edge';
import { hashOf, shownHeaders } from './shown-record';

/** What is shown of a record in place of its value. */
export const IN_PLACE_OF_VALUE = {
  headers: {
    type: 'object',
    additionalProperties: { type: 'string' },
    description: 'Our headers; a hash in place of a value that is not as ours are.',
  },
  other_headers: count('How many other headers it has.'),
  bytes: count('The size of its value.'),
  hash: word('The beginning of the SHA-256 of its value.'),
} as const;

export function inPlaceOfValue({ headers, value }: Pick<LogRecord, 'headers' | 'value'>) {
  const { known, others } = shownHeaders(headers);
  return { headers: known, other_headers: others, bytes: value.length, hash: hashOf(value) };
}
