import type { ApiPart, DescribedBody } from '@opendsr-service/edge';
import { plainToInstance } from 'class-transformer';
import { getMetadataStorage, ValidationTypes } from 'class-validator';

type Rule = ReturnType<ReturnType<typeof getMetadataStorage>['getTargetValidationMetadatas']>[number];
type Keywords = Record<string, unknown>;

const UUID_V4 = '^[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-4[0-9A-Fa-f]{3}-[89ABab][0-9A-Fa-f]{3}-[0-9A-Fa-f]{12}$';

/** What each decorator of class-validator says in JSON Schema, by the name under which it keeps its rule. */
const KEYWORDS: Readonly<Record<string, (...constraints: never[]) => Keywords>> = {
  isString: () => ({ type: 'string' }),
  isLength: (minLength: number, maxLength: number) => ({ type: 'string', minLength, maxLength }),
  maxLength: (maxLength: number) => ({ type: 'string', maxLength }),
  matches: ({ source }: RegExp) => ({ type: 'string', pattern: source }),
  isUuid: () => ({ type: 'string', format: 'uuid', pattern: UUID_V4 }),
  isIp: () => ({ type: 'string', anyOf: [{ format: 'ipv4' }, { format: 'ipv6' }] }),
  isIn: (values: readonly unknown[]) => ({ type: typeof values[0], enum: values }),
  equals: (value: unknown) => ({ type: typeof value, const: value }),
  isInt: () => ({ type: 'integer' }),
  isObject: () => ({ type: 'object' }),
  isArray: () => ({ type: 'array' }),
  arrayNotEmpty: () => ({ type: 'array', minItems: 1 }),
  arrayUnique: () => ({ type: 'array', uniqueItems: true }),
  arrayMaxSize: (maxItems: number) => ({ type: 'array', maxItems }),
};

function keywordsOf({ name = '', constraints = [], propertyName, each }: Rule): Keywords {
  const keywords = KEYWORDS[name];
  if (!keywords)
    throw new Error(`${propertyName}: tools/api/body-schema.ts does not know the rule ${name || 'without a name'}`);
  const said = keywords(...(constraints as never[]));
  return each ? { type: 'array', items: said } : said;
}

/** The schemas of bodies, made from the rules of their classes and the sentences of their descriptions. */
export function bodySchemas(bodies: Readonly<Record<string, DescribedBody>>): Record<string, ApiPart> {
  const names = new Map<object, string>(Object.entries(bodies).map(([name, { type }]) => [type, name]));
  return Object.fromEntries(Object.entries(bodies).map(([name, body]) => [name, bodySchema(body, names)]));
}

function bodySchema(
  { type, description, fields, rules: whole = {}, given = {} }: DescribedBody,
  names: ReadonlyMap<object, string>,
): ApiPart {
  const rules = getMetadataStorage().getTargetValidationMetadatas(type, '', false, false);
  const described = fields as Readonly<Record<string, ApiPart | 'internal'>>;
  const forgotten = rules.map(({ propertyName }) => propertyName).filter((field) => !(field in described));
  if (forgotten.length > 0) throw new Error(`${type.name} says nothing of ${forgotten.join(', ')}`);
  const shown = Object.entries(described).filter((field): field is [string, ApiPart] => field[1] !== 'internal');
  const properties = shown.map(([field, words]) => {
    const own = rules.filter(({ propertyName }) => propertyName === field);
    const isTaken = (value: unknown) =>
      own.some(
        (rule) => rule.type === ValidationTypes.CONDITIONAL_VALIDATION && !holdsFor(rule, { ...given, [field]: value }),
      );
    return {
      field,
      schema: {
        ...withNull(
          fieldSchema(own, () => nestedName(type, field, names)),
          isTaken(null),
        ),
        ...words,
      },
      isRequired: own.length > 0 && !isTaken(undefined),
    };
  });
  const required = properties.filter(({ isRequired }) => isRequired).map(({ field }) => field);
  return {
    type: 'object',
    description,
    ...(required.length > 0 && { required }),
    // Fields that no class names are accepted everywhere.
    additionalProperties: true,
    ...whole,
    properties: Object.fromEntries(properties.map(({ field, schema }) => [field, schema])),
  };
}

/** Whether the other rules of a field apply to this body. */
const holdsFor = ({ constraints }: Rule, body: object): boolean =>
  (constraints as [(body: object) => boolean])[0](body);

function fieldSchema(rules: readonly Rule[], nested: () => string): Keywords {
  const said = rules.flatMap((rule) => {
    if (rule.type === ValidationTypes.CONDITIONAL_VALIDATION) return [];
    if (rule.type !== ValidationTypes.NESTED_VALIDATION) return [keywordsOf(rule)];
    const $ref = `#/components/schemas/${nested()}`;
    return [rule.each ? { type: 'array', items: { $ref } } : { $ref }];
  });
  return Object.assign({}, ...said) as Keywords;
}

/** A field that the checks skip for null may be null. */
function withNull(schema: Keywords, mayBeNull: boolean): Keywords {
  if (!mayBeNull || schema.type === undefined) return schema;
  const { const: only, enum: values = only === undefined ? undefined : [only], ...rest } = schema;
  return {
    ...rest,
    type: [schema.type, 'null'],
    ...(Array.isArray(values) && { enum: [...(values as unknown[]), null] }),
  };
}

function nestedName(type: DescribedBody['type'], field: string, names: ReadonlyMap<object, string>): string {
  const made = (plainToInstance(type, { [field]: {} }) as Record<string, object>)[field];
  const name = names.get(made?.constructor ?? {});
  if (name === undefined) throw new Error(`${type.name}.${field} holds a class that no body describes`);
  return name;
}
