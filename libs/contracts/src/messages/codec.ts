import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import type { JSONSchema } from 'json-schema-to-ts';
import { cloudEventHeaders, messageTypeOf } from './cloud-events';

/** A record that violates its topic's contract. `reason` is a code, never content. */
export class MalformedMessage extends Error {
  override readonly name: string = 'MalformedMessage';
  constructor(readonly reason: string) {
    super(reason);
  }
}

/**
 * A well-named type that is unknown here: a later version wrote it, as in a rolling upgrade. It must not block its key.
 */
export class LaterMessage extends MalformedMessage {
  override readonly name = 'LaterMessage';
  constructor() {
    super(UNKNOWN_TYPE);
  }
}

export interface EncodedMessage {
  readonly key: string;
  readonly value: Buffer;
  readonly headers: Record<string, string>;
}

export interface Codec<M extends { readonly type: string }> {
  encode(message: M): EncodedMessage;
  /** Whether the headers name one of these types; the value is not read. */
  isOfType(record: { readonly headers: Readonly<Record<string, string>> }, types: readonly M['type'][]): boolean;
  /**
   * Throws MalformedMessage; keeps unknown fields. A type that a later version added is a LaterMessage, or, on a topic
   * with a head, arrives as its type and head.
   */
  decode(record: { readonly value: Buffer; readonly headers: Readonly<Record<string, string>> }): M;
}

interface MessageFields {
  readonly id: string;
  readonly type: string;
  readonly ws: string;
  readonly at: string;
}

/**
 * Which key and subject a message has; `head` is what every message of the topic holds, those of later versions too.
 */
interface TopicRules<M> {
  key(message: M): string;
  subject(message: M): string;
  readonly head?: { readonly properties: Readonly<Record<string, object>> };
}

const UNKNOWN_TYPE = 'unknown-type';
/** A header with another form names no message type of ours. */
export const TYPE_NAME = /^[A-Z][A-Za-z0-9]{0,63}$/;

const ajv = new Ajv2020({ allErrors: false, strict: true, allowUnionTypes: true, strictRequired: false });
(addFormats as unknown as (instance: Ajv2020) => void)(ajv);

/** Creates the codec of a topic. Schemas are compiled on first use, so a process pays only for the topics it reads. */
export function codec<M extends MessageFields>(
  source: string,
  schemas: Readonly<Record<M['type'], JSONSchema>>,
  topic: TopicRules<M>,
): Codec<M> {
  const compiled = new Map<object, ValidateFunction<M>>();
  const validatorOf = (schema: object) => {
    const isValid = compiled.get(schema) ?? ajv.compile<M>(schema);
    compiled.set(schema, isValid);
    return isValid;
  };
  return {
    encode: (message) => ({
      key: topic.key(message),
      value: Buffer.from(JSON.stringify(message)),
      headers: cloudEventHeaders({
        id: message.id,
        type: message.type,
        source,
        subject: topic.subject(message),
        time: message.at,
        ws: message.ws,
      }),
    }),
    isOfType: ({ headers }, types) => (types as readonly (string | undefined)[]).includes(messageTypeOf(headers)),
    decode: ({ value, headers }) => {
      const type = messageTypeOf(headers);
      if (type === undefined || !TYPE_NAME.test(type)) throw new MalformedMessage(UNKNOWN_TYPE);
      if (Object.hasOwn(schemas, type))
        return parseValid(value, validatorOf(schemas[type as M['type']] as object), type);
      if (!topic.head) throw new LaterMessage();
      return pick(parseValid(value, validatorOf(topic.head), type), Object.keys(topic.head.properties));
    },
  };
}

function parseValid<M extends MessageFields>(value: Buffer, isValid: ValidateFunction<M>, type: string): M {
  const parsed = parse(value);
  if (!isValid(parsed)) throw new MalformedMessage(`schema:${isValid.errors?.[0]?.schemaPath ?? ''}`);
  if (parsed.type !== type) throw new MalformedMessage('type-differs-from-header');
  return parsed;
}

/** Of a later type only the head was checked. */
const pick = <M extends object>(message: M, names: readonly string[]): M =>
  Object.fromEntries(Object.entries(message).filter(([name]) => names.includes(name))) as M;

function parse(value: Buffer): unknown {
  try {
    return JSON.parse(value.toString('utf8'));
  } catch {
    throw new MalformedMessage('not-json');
  }
}
