import { parse, v5 as uuidv5, v7 as uuidv7 } from 'uuid';

/** CloudEvents 1.0, Kafka binding, binary mode: attributes are `ce_` headers (decision 3). */
interface CloudEvent {
  readonly id: string;
  readonly type: string;
  readonly source: string;
  readonly subject: string;
  readonly time: string;
  readonly ws: string;
}

const TYPE_PREFIX = 'org.opendsr-service.';
const TYPE_SUFFIX = '.v1';
const NAMESPACE = parse('a2a5dd0e-6c0f-4dc5-9bb9-17c0f4d6f5a4');

export const cloudEventHeaders = (event: CloudEvent): Record<string, string> => ({
  'content-type': 'application/json',
  ce_specversion: '1.0',
  ce_id: event.id,
  ce_type: `${TYPE_PREFIX}${event.type}${TYPE_SUFFIX}`,
  ce_source: event.source,
  ce_subject: event.subject,
  ce_time: event.time,
  ce_workspaceid: event.ws,
});

/** The message type in the headers; undefined: foreign, or of an unknown version. */
export function messageTypeOf(headers: Readonly<Record<string, string>>): string | undefined {
  const type = headers.ce_type;
  return type?.startsWith(TYPE_PREFIX) && type.endsWith(TYPE_SUFFIX)
    ? type.slice(TYPE_PREFIX.length, -TYPE_SUFFIX.length)
    : undefined;
}

/** The same parts give the same id, so consumers recognise a repeat. */
export const messageId = (...parts: readonly (string | number)[]): string =>
  uuidv5(Buffer.from(parts.join('|')), NAMESPACE);

/** A UUID version 7. Ids of one process sort in the order of creation. */
export const orderedMessageId = (): string => uuidv7();
