import {
  COMMAND_SCHEMAS,
  commands,
  DELIVERY_EVENT_SCHEMAS,
  deliveryEvents,
  MalformedMessage,
  PARTICIPANT_REPORT_SCHEMAS,
  participantReports,
  REQUEST_EVENT_HEAD,
  REQUEST_EVENT_SCHEMAS,
  requestEvents,
  TOPICS,
  type Codec,
} from '@opendsr-service/contracts';
import type { LogRecord } from '@opendsr-service/messaging';
import { hashOf } from './shown-record';

type FieldSchema = Readonly<Record<string, unknown>>;
type MessageSchema = { readonly properties: Readonly<Record<string, FieldSchema>> };

interface Topic {
  readonly codec: Pick<Codec<{ readonly type: string }>, 'decode'>;
  readonly schemas: Readonly<Record<string, MessageSchema>>;
  /** What of a later type is known. */
  readonly head?: MessageSchema;
}

/** The topics whose records have the key of a request. */
const TOPICS_OF_REQUESTS: Readonly<Record<string, Topic>> = {
  [TOPICS.commands.name]: { codec: commands, schemas: COMMAND_SCHEMAS },
  [TOPICS.requestEvents.name]: { codec: requestEvents, schemas: REQUEST_EVENT_SCHEMAS, head: REQUEST_EVENT_HEAD },
  [TOPICS.participantReports.name]: { codec: participantReports, schemas: PARTICIPANT_REPORT_SCHEMAS },
  [TOPICS.deliveryEvents.name]: { codec: deliveryEvents, schemas: DELIVERY_EVENT_SCHEMAS },
};

/** In the order in which a request comes to them. */
export const REQUEST_TOPICS = Object.keys(TOPICS_OF_REQUESTS);

/** Said of a record by other facts of it. */
const ENVELOPE: readonly string[] = ['id', 'type', 'ws', 'srid'];
const PLAIN_TYPES: readonly unknown[] = ['integer', 'boolean'];
const FORMATS: readonly unknown[] = ['date-time', 'uuid'];
const KEYED_HASH = /^[A-Za-z0-9_-]{1,64}$/;

interface ShownFields {
  /** By name; null: the value is not as the contract of the topic says. */
  readonly fields: Readonly<Record<string, string | number | boolean>> | null;
  /** How many others it has. */
  readonly others: number;
}

/**
 * What a value says without personal data: numbers, words of a list, times and ids by the contract of its topic, the
 * keyed hash of a callback URL, and the names of participants that are known. Never a text, and nothing that is sealed.
 */
export function shownFields(record: LogRecord, participants: ReadonlySet<string>): ShownFields {
  const topic = TOPICS_OF_REQUESTS[record.topic];
  const message = topic && decoded(topic, record);
  if (!message) return { fields: null, others: 0 };
  const { properties = {} } = topic.schemas[message.type] ?? topic.head ?? {};
  const shown = Object.entries(message).flatMap(([name, value]) => {
    const schema = Object.hasOwn(properties, name) && !ENVELOPE.includes(name) ? properties[name] : undefined;
    const text = shownValue(schema, { name, value }, participants);
    return text === undefined ? [] : [[name, text] as const];
  });
  const said = Object.keys(message).filter((name) => ENVELOPE.includes(name));
  return { fields: Object.fromEntries(shown), others: Object.keys(message).length - shown.length - said.length };
}

function shownValue(
  schema: FieldSchema | undefined,
  { name, value }: { readonly name: string; readonly value: unknown },
  participants: ReadonlySet<string>,
): string | number | boolean | undefined {
  // A field that the contract does not name may hold anything.
  if (!schema) return undefined;
  if (isPlain(schema)) return value as string | number | boolean;
  return typeof value === 'string' ? SHOWN_TEXTS[name]?.(value, participants) : undefined;
}

/** Of such a field the codec has checked the value. */
const isPlain = ({ type, enum: words, format }: FieldSchema): boolean =>
  PLAIN_TYPES.includes(type) || FORMATS.includes(format) || Array.isArray(words);

const SHOWN_TEXTS: Readonly<Record<string, (text: string, participants: ReadonlySet<string>) => string | undefined>> = {
  participant: (name, known) => (known.has(name) ? name : hashOf(name)),
  destination: (hash) => (KEYED_HASH.test(hash) ? hash : undefined),
};

function decoded({ codec }: Topic, record: LogRecord): { readonly type: string } | undefined {
  try {
    return codec.decode(record);
  } catch (error) {
    if (error instanceof MalformedMessage) return undefined;
    throw error;
  }
}
