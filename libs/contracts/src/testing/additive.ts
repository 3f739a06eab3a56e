type Schema = Readonly<Record<string, unknown>>;

export interface TopicShape {
  readonly topic: string;
  readonly partitions: number;
  readonly key: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly types: Readonly<Record<string, object>>;
}

/** Keywords without effect on values. */
const WORDS = new Set(['title', 'description', 'examples', '$comment']);
/** A narrower rule refuses logged values; a wider one passes what older readers refuse. */
const FIXED = new Set([
  'type',
  'const',
  'format',
  'pattern',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'minItems',
  'maxItems',
  'additionalProperties',
]);
const COMPARED = new Set([...WORDS, ...FIXED, 'enum', 'required', 'properties', 'items']);

/**
 * Why `after` is not an addition to `before`; old and new read each other in a rolling upgrade.
 * An enum may grow only at the `tolerant` paths, whose consumers accept unknown values. Throws on an unknown keyword.
 */
export function refusals(before: TopicShape, after: TopicShape, tolerant: ReadonlySet<string> = new Set()): string[] {
  for (const { types } of [before, after])
    for (const [type, schema] of Object.entries(types)) checkComparable(type, schema as Schema);
  const { types: old, ...wasNamed } = before;
  const { types: now, ...isNamed } = after;
  return [...differing(wasNamed, isNamed).map((name) => `${name} changed`), ...members('', [old, now], tolerant)];
}

interface Pair {
  readonly old: Schema;
  readonly now: Schema;
}

function members(path: string, [were, are]: readonly [Schema, Schema], tolerant: ReadonlySet<string>): string[] {
  return Object.entries(were).flatMap(([name, schema]) => {
    const here = `${path}${name}`;
    return are[name]
      ? compare(here, { old: schema as Schema, now: are[name] as Schema }, tolerant)
      : [`${here}: removed`];
  });
}

function compare(path: string, pair: Pair, tolerant: ReadonlySet<string>): string[] {
  const { old, now } = pair;
  return [
    ...differing(old, now)
      .filter((keyword) => FIXED.has(keyword))
      .map((keyword) => `${path}: ${keyword} changed`),
    ...enums(path, pair, tolerant),
    ...required(path, pair),
    ...members(`${path}.`, [properties(old), properties(now)], tolerant),
    ...items(path, pair, tolerant),
  ];
}

function enums(path: string, { old, now }: Pair, tolerant: ReadonlySet<string>): string[] {
  if (!('enum' in old) && !('enum' in now)) return [];
  const [were, are] = [values(old, 'enum'), values(now, 'enum')];
  if (!were || !are) return [`${path}: enum ${were ? 'dropped' : 'added'}`];
  const added = are.filter((value) => !were.includes(value));
  return [
    ...were.filter((value) => !are.includes(value)).map((value) => `${path}: ${String(value)} is not a value any more`),
    ...(tolerant.has(path) ? [] : added.map((value) => `${path}: ${String(value)} is a new value`)),
  ];
}

function required(path: string, { old, now }: Pair): string[] {
  const [were, are] = [values(old, 'required') ?? [], values(now, 'required') ?? []];
  return [
    ...are.filter((name) => !were.includes(name)).map((name) => `${path}.${String(name)}: newly required`),
    ...were.filter((name) => !are.includes(name)).map((name) => `${path}.${String(name)}: required no more`),
  ];
}

function items(path: string, { old, now }: Pair, tolerant: ReadonlySet<string>): string[] {
  const [were, are] = [old['items'] as Schema | undefined, now['items'] as Schema | undefined];
  if (were && are) return compare(`${path}[]`, { old: were, now: are }, tolerant);
  return were || are ? [`${path}: items ${were ? 'dropped' : 'added'}`] : [];
}

/** Finds an unknown keyword when it appears, not when it changes. */
function checkComparable(path: string, schema: Schema): void {
  const strange = Object.keys(schema).find((keyword) => !COMPARED.has(keyword));
  if (strange !== undefined) throw new Error(`${path}: ${strange} is not a keyword that can be compared`);
  for (const [name, child] of Object.entries(properties(schema))) checkComparable(`${path}.${name}`, child as Schema);
  if (schema['items']) checkComparable(`${path}[]`, schema['items'] as Schema);
}

const differing = (old: Schema, now: Schema): string[] =>
  [...new Set([...Object.keys(old), ...Object.keys(now)])].filter(
    (name) => canonical(old[name]) !== canonical(now[name]),
  );

/** The order of types and headers has no meaning. */
function canonical(value: unknown): string | undefined {
  if (Array.isArray(value)) return JSON.stringify([...(value as unknown[])].sort());
  if (typeof value === 'object' && value !== null) return JSON.stringify(Object.entries(value).sort());
  return JSON.stringify(value);
}

const values = (schema: Schema, keyword: string) => schema[keyword] as readonly unknown[] | undefined;
const properties = (schema: Schema) => (schema['properties'] ?? {}) as Schema;
