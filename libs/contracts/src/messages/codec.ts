import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import type { JSONSchema } from 'json-schema-to-ts';
import { cloudEventHeaders, messageTypeOf } from './cloud-events';

/** A record that violates the contract of its topic. `reason` is a code, never content. */
export class MalformedMessage extends Error {
  override readonly name: string = 'MalformedMessage';
  constructor(readonly reason: string) {
    super(reason);
  }
}

/** A type that a later version added, as in a rolling upgrade. It must not block its key. */
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
  isOfType(record: { readonly headers: Readonly<Record<string, string>> }, types: readonly M['type'][]): boolean;
  /** Keeps unknown fields. Throws MalformedMessage, or LaterMessage on a topic without a head. */
  decode(record: { readonly value: Buffer; readonly headers: Readonly<Record<string, string>> }): M;
}

interface MessageFields {
  readonly id: string;
  readonly type: string;
  readonly ws: string;
  readonly at: string;
}

/** `head`: the fields of every message, those of later versions too. */
interface TopicRules<M> {
  key(message: M): string;
  subject(message: M): string;
  readonly head?: { readonly properties: Readonly<Record<string, object>> };
}

const UNKNOWN_TYPE = 'unknown-type';
export const TYPE_NAME = /^[A-Z][A-Za-z0-9]{0,63}$/;

const ajv = new Ajv2020({ allErrors: false, strict: true, allowUnionTypes: true, strictRequired: false });
(addFormats as unknown as (instance: Ajv2020) => void)(ajv);

/** Compiles schemas on first use, so a process pays only for the topics it reads. */
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

const pick = <M extends object>(message: M, names: readonly string[]): M =>
  Object.fromEntries(Object.entries(message).filter(([name]) => names.includes(name))) as M;

function parse(value: Buffer): unknown {
  try {
    return JSON.parse(value.toString('utf8'));
  } catch {
    throw new MalformedMessage('not-json');
  }
}
