import type { Doc } from '../bson';
import { isPlainObject, normalised } from '../bson';
import { badValue, EmbeddedUnsupported } from '../errors';
import { compileFilter } from '../filter/compile';
import { keyOf } from '../index/key';
import { compare, numeric, rankOf, ranks } from '../values';
import { comparator, sortFrom } from './order';
import { compileProjection } from './projection';

type Stage = (docs: readonly Doc[]) => readonly Doc[];
type Expression = (doc: Doc) => unknown;

function expression(value: unknown): Expression {
  if (typeof value === 'string' && /^\$[^$.]+(\.[^$.]+)*$/.test(value)) {
    const path = value.slice(1).split('.');
    return (doc) => path.reduce<unknown>((inner, part) => (isPlainObject(inner) ? inner[part] : undefined), doc);
  }
  if (isPlainObject(value)) {
    const fields = Object.entries(value).map(([name, inner]) => [name, expression(inner)] as const);
    if (fields.some(([name]) => name.startsWith('$')))
      throw new EmbeddedUnsupported('computed expressions in an aggregation');
    return (doc): Doc =>
      Object.fromEntries(
        fields.map(([name, inner]): [string, unknown] => [name, inner(doc)]).filter(([, inner]) => inner !== undefined),
      );
  }
  if (Array.isArray(value) || (typeof value === 'string' && value.startsWith('$')))
    throw new EmbeddedUnsupported('computed expressions in an aggregation');
  return () => value;
}

const number = (value: unknown): number => (rankOf(value) === ranks.number ? Number(numeric(value)) : 0);
const extreme =
  (turn: 1 | -1) =>
  (values: readonly unknown[]): unknown =>
    values
      .filter((value) => rankOf(value) !== ranks.missing)
      .reduce<unknown>(
        (best, value) => (best === undefined || compare(value, best) * turn > 0 ? value : best),
        undefined,
      ) ?? null;

const accumulators: Record<string, (values: readonly unknown[]) => unknown> = {
  $sum: (values) => values.reduce<number>((sum, value) => sum + number(value), 0),
  $min: extreme(-1),
  $max: extreme(1),
  $first: (values) => values[0] ?? null,
  $last: (values) => values.at(-1) ?? null,
};

function group({ _id: id, ...fields }: Doc): Stage {
  const groupOf = expression(id ?? null);
  const outputs = Object.entries(fields).map(([name, spec]) => {
    const [operator = '', operand] = isPlainObject(spec) ? (Object.entries(spec)[0] ?? []) : [];
    const accumulate = accumulators[operator];
    if (!accumulate) throw new EmbeddedUnsupported(`the accumulator ${operator}`);
    return { name, accumulate, valueOf: expression(operand) };
  });
  return (docs) => {
    const groups = new Map<string, { id: unknown; docs: Doc[] }>();
    for (const doc of docs) {
      const value = groupOf(doc);
      const key = keyOf([value], [1]).toString('latin1');
      const members = groups.get(key) ?? { id: value ?? null, docs: [] };
      groups.set(key, members);
      members.docs.push(doc);
    }
    return [...groups.values()].map((members) => {
      const totals = outputs.map(({ name, accumulate, valueOf }) => [name, accumulate(members.docs.map(valueOf))]);
      return { _id: members.id, ...(Object.fromEntries(totals) as Doc) };
    });
  };
}

const stages: Record<string, (operand: Doc & number & string) => Stage> = {
  $match: (filter) => {
    const { test } = compileFilter(filter);
    return (docs) => docs.filter(test);
  },
  $sort: (sort) => {
    const order = comparator(sortFrom(sort));
    return (docs) => [...docs].sort(order);
  },
  $skip: (count) => (docs) => docs.slice(count),
  $limit: (count) => (docs) => docs.slice(0, count),
  $project: (fields) => {
    const project = compileProjection(fields);
    return (docs) => (project ? docs.map(project) : docs);
  },
  $group: group,
  $count: (name) => (docs) => (docs.length > 0 ? [{ [name]: docs.length }] : []),
};

/** The first filter, for which the store can use an index, and what follows it. For reports: all groups are held in memory. */
export function pipelineFrom(pipeline: unknown): { filter: Doc; run: Stage } {
  if (!Array.isArray(pipeline)) throw badValue('A pipeline must be an array');
  const [first, ...rest] = pipeline.map((stage) => normalised(stage as Doc));
  const leading = first && isPlainObject(first['$match']) ? first['$match'] : undefined;
  const steps = (leading || !first ? rest : [first, ...rest]).map((stage) => {
    const [name = '', operand] = Object.entries(stage)[0] ?? [];
    const compile = stages[name];
    if (!compile) throw new EmbeddedUnsupported(`the aggregation stage ${name}`);
    return compile(operand as Doc & number & string);
  });
  return { filter: leading ?? {}, run: (docs) => steps.reduce<readonly Doc[]>((current, step) => step(current), docs) };
}
