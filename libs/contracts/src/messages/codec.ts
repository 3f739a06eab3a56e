import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import type { JSONSchema } from 'json-schema-to-ts';
import { cloudEventHeaders, messageTypeOf } from './cloud-events';

/** A record that is not what its topic promises. `reason` is a code, never content. */
export class MalformedMessage extends Error {
  override readonly name = 'MalformedMessage';
  constructor(readonly reason: string) {
    super(reason);
  }
}

export interface EncodedMessage {
  readonly key: string;
  readonly value: Buffer;
  readonly headers: Record<string, string>;
}

/** How the messages of one topic are written to a record and read back from it. */
export interface Codec<M> {
  encode(message: M): EncodedMessage;
  /** Throws MalformedMessage; fields that the schema does not know are kept, so that additions stay readable. */
  decode(record: { readonly value: Buffer; readonly headers: Readonly<Record<string, string>> }): M;
}

interface Described {
  readonly id: string;
  readonly type: string;
  readonly ws: string;
  readonly at: string;
}

const ajv = new Ajv2020({ allErrors: false, strict: true, allowUnionTypes: true, strictRequired: false });
(addFormats as unknown as (instance: Ajv2020) => void)(ajv);

/**
 * Makes the codec of a topic from the schemas of its messages. Schemas are compiled when they are first needed, so that a
 * process pays only for the topics it reads.
 */
export function codec<M extends Described>(
  source: string,
  schemas: Readonly<Record<M['type'], JSONSchema>>,
  of: { key(message: M): string; subject(message: M): string },
): Codec<M> {
  const validators = new Map<string, ValidateFunction<M>>();
  const validatorOf = (type: string) => {
    const known = validators.get(type);
    if (known || !Object.hasOwn(schemas, type)) return known;
    const compiled = ajv.compile<M>(schemas[type as M['type']] as object);
    validators.set(type, compiled);
    return compiled;
  };
  return {
    encode: (message) => ({
      key: of.key(message),
      value: Buffer.from(JSON.stringify(message)),
      headers: cloudEventHeaders({ id: message.id, type: message.type, source, subject: of.subject(message), time: message.at, ws: message.ws }),
    }),
    decode: ({ value, headers }) => {
      const type = messageTypeOf(headers);
      const isValid = type === undefined ? undefined : validatorOf(type);
      if (!isValid) throw new MalformedMessage('unknown-type');
      const parsed = parse(value);
      if (!isValid(parsed)) throw new MalformedMessage(`schema:${isValid.errors?.[0]?.schemaPath ?? ''}`);
      if (parsed.type !== type) throw new MalformedMessage('type-differs-from-header');
      return parsed;
    },
  };
}

function parse(value: Buffer): unknown {
  try {
    return JSON.parse(value.toString('utf8'));
  } catch {
    throw new MalformedMessage('not-json');
  }
}
