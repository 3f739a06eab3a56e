type Schema = Readonly<Record<string, unknown>>;

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema: Schema }>>;
}

interface Answer extends Content {
  readonly $ref?: string;
  readonly headers?: Readonly<Record<string, object>>;
}

interface Operation {
  readonly parameters?: readonly {
    readonly in: string;
    readonly name: string;
    readonly required?: boolean;
    readonly schema: Schema;
  }[];
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Answer>>;
  readonly security?: readonly object[];
  readonly callbacks?: Readonly<Record<string, Readonly<Record<string, { readonly post: Operation }>>>>;
}

/** The parts of an OpenAPI document that callers rely on. */
interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly security: readonly object[];
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly responses?: Record<string, Answer>;
  };
}

/** What holds at a place of an API: what stays, and what callers have to give or to know, which does not grow. */
interface Held {
  readonly keeps?: readonly string[];
  readonly asks?: readonly string[];
}

/** What an API promises, by place. */
export type Promises = Readonly<Record<string, Held>>;

/** Keywords that name something, or say it in words. */
const WORDS = ['description', 'examples', 'contentEncoding', 'contentMediaType'];
/** Keywords that only a caller has to keep to. */
const LIMITS = [
  ...['format', 'pattern', 'minLength', 'maxLength', 'minimum', 'maximum', 'minItems', 'maxItems', 'minProperties'],
];
const ALTERNATIVES = ['anyOf', 'oneOf'];
const COMPARED = ['type', 'enum', 'const', 'required', 'properties', 'items', 'additionalProperties', '$ref'];

/** `taken`: from callers, so what is accepted stays. `given`: to them, so they need to know nothing more. */
type Way = 'taken' | 'given';

/** What a document promises, in its order. Throws on a keyword of schemas that it does not know. */
export const promisesOf = (document: object): Promises => new Reading(document as OpenApi).promises;

/** What in `today` breaks a promise; further places and fields do not. */
export const brokenPromises = (recorded: Promises, today: Promises): string[] =>
  Object.entries(recorded).flatMap(([place, was]) => {
    const is = today[place];
    if (!is) return [`${place}: removed`];
    return [
      ...lacking(was.keeps, is.keeps).map((word) => `${place}: no longer ${word}`),
      ...lacking(is.asks, was.asks).map((word) => `${place}: newly asks ${word}`),
    ];
  });

/** One line for each place. */
export const textOfPromises = (promises: Promises): string =>
  `{\n${Object.entries(promises)
    .map(([place, held]) => `${JSON.stringify(place)}: ${JSON.stringify(held)}`)
    .join(',\n')}\n}\n`;

const lacking = (wanted: readonly string[] = [], there: readonly string[] = []): string[] =>
  wanted.filter((word) => !there.includes(word));

class Reading {
  readonly promises: Record<string, Held> = {};

  constructor(private readonly document: OpenApi) {
    for (const [path, methods] of Object.entries(document.paths))
      for (const [method, operation] of Object.entries(methods))
        this.readOperation(`${method.toUpperCase()} ${path}`, operation);
  }

  private readOperation(place: string, { responses, callbacks = {}, ...call }: Operation): void {
    this.readCall(place, call);
    for (const [status, answer] of Object.entries(responses))
      if (!/^[45]/.test(status)) this.readAnswer(`${place} ${status}`, answer);
    for (const [name, byUrl] of Object.entries(callbacks))
      for (const { post } of Object.values(byUrl)) this.readCallback(`${place} callback ${name}`, post);
  }

  private readCall(place: string, call: Pick<Operation, 'parameters' | 'requestBody' | 'security'>): void {
    const { parameters = [], requestBody = {}, security = this.document.security } = call;
    const needed = parameters.filter(({ required }) => required).map(({ in: part, name }) => `${part} ${name}`);
    this.note(place, {
      keeps: security.map((scheme) => `credentials: ${Object.keys(scheme).join(' with ')}`),
      asks: [...needed, ...(security.length > 0 ? ['credentials'] : [])],
    });
    for (const { in: part, name, schema } of parameters) this.readSchema(`${place} ${part} ${name}`, 'taken', schema);
    this.readContent(`${place} body`, 'taken', requestBody);
  }

  private readAnswer(place: string, { $ref, ...answer }: Answer): void {
    if ($ref !== undefined) return this.readAnswer(place, this.document.components.responses?.[nameIn($ref)] ?? {});
    this.note(place, { keeps: Object.keys(answer.headers ?? {}) });
    this.readContent(place, 'given', answer);
  }

  private readCallback(place: string, { parameters = [], requestBody = {} }: Operation): void {
    this.note(place, { keeps: parameters.map(({ name }) => name) });
    this.readContent(place, 'given', requestBody);
  }

  private readContent(place: string, way: Way, { content = {} }: Content): void {
    for (const [type, { schema }] of Object.entries(content)) this.readSchema(`${place} ${type}`, way, schema);
  }

  private readSchema(place: string, way: Way, schema: Schema): void {
    const strange = Object.keys(schema).find(
      (word) => ![...WORDS, ...LIMITS, ...ALTERNATIVES, ...COMPARED].includes(word),
    );
    if (strange !== undefined) throw new Error(`${place}: ${strange} is not a keyword that can be compared`);
    if (typeof schema['$ref'] === 'string') return this.readNamed(place, way, nameIn(schema['$ref']));
    this.note(place, way === 'taken' ? taken(schema) : given(schema));
    const { properties = {}, items, additionalProperties } = schema;
    for (const [name, below] of Object.entries(properties as Record<string, Schema>))
      this.readSchema(`${place}.${name}`, way, below);
    if (items !== undefined) this.readSchema(`${place}[]`, way, items as Schema);
    if (typeof additionalProperties === 'object') this.readSchema(`${place}.*`, way, additionalProperties as Schema);
  }

  private readNamed(place: string, way: Way, name: string): void {
    this.note(place, { keeps: [name], asks: way === 'taken' ? [name] : [] });
    const there = `${way} ${name}`;
    if (!(there in this.promises)) this.readSchema(there, way, this.document.components.schemas[name] ?? {});
  }

  private note(place: string, { keeps = [], asks = [] }: Held): void {
    const before = this.promises[place];
    const all = { keeps: [...(before?.keeps ?? []), ...keeps], asks: [...(before?.asks ?? []), ...asks] };
    this.promises[place] = Object.fromEntries(Object.entries(all).filter(([, words]) => words.length > 0));
  }
}

const nameIn = (reference: string): string => reference.split('/').at(-1) ?? '';

const typesOf = ({ type }: Schema): string[] => (type === undefined ? [] : ([type].flat() as string[]));

/** The only values, or none where all are allowed. */
const valuesOf = ({ enum: values, const: only }: Schema): string[] =>
  (Array.isArray(values) ? (values as unknown[]) : [only].filter((value) => value !== undefined)).map((value) =>
    JSON.stringify(value),
  );

/** That not all types, or not all values, are allowed. */
const bounded = (types: readonly string[], values: readonly string[]): string[] => [
  ...(types.length > 0 ? ['one of its types'] : []),
  ...(values.length > 0 ? ['one of its values'] : []),
];

const worded = (schema: Schema, keywords: readonly string[]): string[] =>
  keywords.filter((word) => word in schema).map((word) => `${word} ${JSON.stringify(schema[word])}`);

const requiredOf = ({ required = [] }: Schema): string[] => required as string[];

function taken(schema: Schema): Held {
  const [types, values] = [typesOf(schema), valuesOf(schema)];
  return {
    keeps: [...types, ...values],
    asks: [
      ...worded(schema, [...LIMITS, ...ALTERNATIVES]),
      ...bounded(types, values),
      ...('items' in schema ? ['items of a schema'] : []),
      ...requiredOf(schema),
      ...(schema['additionalProperties'] === false ? ['no other fields'] : []),
    ],
  };
}

function given(schema: Schema): Held {
  const [types, values] = [typesOf(schema), valuesOf(schema)];
  const format = typeof schema['format'] === 'string' ? [schema['format']] : [];
  return {
    keeps: [...format, ...worded(schema, ALTERNATIVES), ...bounded(types, values), ...requiredOf(schema)],
    asks: [...types, ...values],
  };
}
