import { BSONRegExp, Long, isPlainObject } from '../bson';
import type { Doc } from '../bson';
import { badValue, EmbeddedUnsupported } from '../errors';
import { compare, equals, rankOf, ranks } from '../values';
import type { Bound } from './bounds';

/** True for one value at the path; arrays are visited element by element and then as a whole. */
type ValueTest = (value: unknown, whole: boolean) => boolean;
export interface Condition {
  readonly test: ValueTest;
  readonly negate?: boolean;
  readonly bound?: Bound;
}

export const isOperators = (value: unknown): value is Doc =>
  isPlainObject(value) && Object.keys(value)[0]?.startsWith('$') === true;

function integer(value: unknown, operator: string): number {
  const number = value instanceof Long ? value.toNumber() : value;
  if (typeof number !== 'number' || !Number.isInteger(number)) throw badValue(`${operator} needs an integer`);
  return number;
}

function list(value: unknown, operator: string): readonly unknown[] {
  if (!Array.isArray(value)) throw badValue(`${operator} needs an array`);
  return value;
}

export function equality(operand: unknown): Condition {
  if (operand instanceof RegExp) return { test: regex(operand) };
  const indexable = !Array.isArray(operand) && !(operand instanceof BSONRegExp);
  const test: ValueTest =
    typeof operand === 'string'
      ? (value) => value === operand
      : (value) => (Array.isArray(operand) || !Array.isArray(value)) && equals(value, operand);
  return { test, ...(indexable && { bound: { in: [operand] } }) };
}

function regex(pattern: RegExp): ValueTest {
  const plain = new RegExp(pattern.source, pattern.flags.replace(/[gy]/g, ''));
  return (value) =>
    typeof value === 'string' ? plain.test(value) : value instanceof RegExp && String(value) === String(pattern);
}

function among(operand: unknown): Condition {
  const values = list(operand, '$in').map((value) => equality(value));
  const bounds = boundsOf(values);
  return {
    test: (value, whole) => values.some((one) => one.test(value, whole)),
    ...(bounds && { bound: { in: bounds } }),
  };
}

function none(values: readonly Condition[]): Condition {
  const bounds = boundsOf(values);
  return {
    test: (value, whole) => values.some((one) => one.test(value, whole)),
    negate: true,
    ...(bounds && { bound: { notIn: bounds } }),
  };
}

/** Undefined where keys do not distinguish all values. */
const boundsOf = (values: readonly Condition[]): unknown[] | undefined =>
  values.every(({ bound }) => bound) ? values.map(({ bound }) => bound?.in?.[0]) : undefined;

function range(operand: unknown, holds: (order: number) => boolean, bound: (value: unknown) => Bound): Condition {
  if (operand instanceof RegExp) throw badValue('a regular expression has no order');
  const rank = rankOf(operand);
  if (rank === ranks.minKey || rank === ranks.maxKey) throw new EmbeddedUnsupported('a range from MinKey or MaxKey');
  const nan = typeof operand === 'number' && Number.isNaN(operand);
  const test: ValueTest = (value) => {
    if (rankOf(value) !== rank) return false;
    if (nan || (typeof value === 'number' && Number.isNaN(value))) return holds(0) && equals(value, operand);
    return holds(compare(value, operand));
  };
  return { test, ...(rank !== ranks.missing && rank !== ranks.array && !nan && { bound: bound(operand) }) };
}

export const comparisons: Record<string, (operand: unknown) => Condition> = {
  $eq: (operand) =>
    operand instanceof RegExp
      ? { test: (value) => value instanceof RegExp && String(value) === String(operand) }
      : equality(operand),
  $ne: (operand) => {
    if (operand instanceof RegExp) throw badValue("Can't have regex as arg to $ne.");
    return none([equality(operand)]);
  },
  $in: among,
  $nin: (operand) => none(list(operand, '$nin').map((value) => equality(value))),
  $gt: (operand) =>
    range(
      operand,
      (order) => order > 0,
      (value) => ({ lower: { value, inclusive: false } }),
    ),
  $gte: (operand) =>
    range(
      operand,
      (order) => order >= 0,
      (value) => ({ lower: { value, inclusive: true } }),
    ),
  $lt: (operand) =>
    range(
      operand,
      (order) => order < 0,
      (value) => ({ upper: { value, inclusive: false } }),
    ),
  $lte: (operand) =>
    range(
      operand,
      (order) => order <= 0,
      (value) => ({ upper: { value, inclusive: true } }),
    ),
  $exists: (operand) =>
    operand
      ? { test: (value) => value !== undefined, bound: { exists: true } }
      : { test: (value) => value !== undefined, negate: true },
  $size: (operand) => {
    const size = integer(operand, '$size');
    if (size < 0) throw badValue('$size may not be negative');
    return { test: (value, whole) => whole && (value as unknown[]).length === size };
  },
};

/** `$regex` and its `$options` are one condition in two fields. */
export function regexCondition(pattern: unknown, options: unknown = ''): Condition {
  const source = pattern instanceof RegExp ? pattern.source : pattern;
  const flags = options || (pattern instanceof RegExp ? pattern.flags : '');
  if (typeof source !== 'string' || typeof flags !== 'string') throw badValue('$regex has to be a string');
  if (/[^ims]/.test(flags)) throw new EmbeddedUnsupported('regular expressions with options other than i, m and s');
  return { test: regex(new RegExp(source, flags)) };
}
