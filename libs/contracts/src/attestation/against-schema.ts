/** The part of JSON Schema that the predicate uses. The client checks with it, as it has no room for a whole validator. */
interface Schema {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly format?: 'date-time' | 'uuid';
  readonly pattern?: string;
  readonly minLength?: number;
  readonly minimum?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
}

const FORMATS = {
  'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/i,
  uuid: /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
};

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const TYPES: Readonly<Record<string, (value: unknown) => boolean>> = {
  object: isObject,
  array: Array.isArray,
  integer: Number.isInteger,
  string: (value) => typeof value === 'string',
  boolean: (value) => typeof value === 'boolean',
};

/** The first place, as a JSON pointer, at which the value is not as the schema says. */
export function fault(schema: Schema, value: unknown, at = ''): string | undefined {
  if (!fitsAlone(schema, value)) return at;
  if (isObject(value)) return faultOfFields(schema, value, at);
  if (!Array.isArray(value) || !schema.items) return undefined;
  const { items } = schema;
  return firstOf(value.map((item, n) => () => fault(items, item, `${at}/${n}`)));
}

function faultOfFields(
  { properties = {}, required = [] }: Schema,
  value: Readonly<Record<string, unknown>>,
  at: string,
): string | undefined {
  const missing = required.find((name) => !Object.hasOwn(value, name));
  if (missing !== undefined) return `${at}/${missing}`;
  const given = Object.entries(properties).filter(([name]) => Object.hasOwn(value, name));
  return firstOf(
    given.map(
      ([name, schema]) =>
        () =>
          fault(schema, value[name], `${at}/${name}`),
    ),
  );
}

function firstOf(checks: readonly (() => string | undefined)[]): string | undefined {
  for (const check of checks) {
    const found = check();
    if (found !== undefined) return found;
  }
  return undefined;
}

function fitsAlone(schema: Schema, value: unknown): boolean {
  if (schema.type !== undefined && !TYPES[schema.type]?.(value)) return false;
  if (schema.enum && !schema.enum.includes(value)) return false;
  return (typeof value !== 'string' || fitsText(schema, value)) && !(Number(value) < (schema.minimum ?? -Infinity));
}

function fitsText({ minLength = 0, pattern, format }: Schema, value: string): boolean {
  const isOfFormat =
    !format || (FORMATS[format].test(value) && (format !== 'date-time' || !Number.isNaN(Date.parse(value))));
  return value.length >= minLength && isOfFormat && (pattern === undefined || new RegExp(pattern, 'u').test(value));
}

/** The fields that the schema names, in its order. */
export function inOrder(schema: Schema, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => inOrder(schema.items ?? {}, item));
  if (!isObject(value)) return value;
  const ordered: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(schema.properties ?? {}))
    if (value[name] !== undefined) ordered[name] = inOrder(field, value[name]);
  return ordered;
}
