import { isPlainObject } from '../bson';
import type { Doc } from '../bson';
import { badValue } from '../errors';
import { wholeNumber } from '../whole-number';
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

function list(value: unknown, operator: string): readonly unknown[] {
  if (!Array.isArray(value)) throw badValue(`${operator} needs an array`);
  return value;
}

/** Throws where the operand is of a type that is not supported. */
export function equality(operand: unknown): Condition {
  const isArray = rankOf(operand) === ranks.array;
  const test: ValueTest =
    typeof operand === 'string'
      ? (value) => value === operand
      : (value) => (isArray || !Array.isArray(value)) && equals(value, operand);
  return { test, ...(!isArray && { bound: { in: [operand] } }) };
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
  const rank = rankOf(operand);
  const nan = typeof operand === 'number' && Number.isNaN(operand);
  const test: ValueTest = (value) => {
    if (rankOf(value) !== rank) return false;
    if (nan || (typeof value === 'number' && Number.isNaN(value))) return holds(0) && equals(value, operand);
    return holds(compare(value, operand));
  };
  return { test, ...(rank !== ranks.missing && rank !== ranks.array && !nan && { bound: bound(operand) }) };
}

export const comparisons: Record<string, (operand: unknown) => Condition> = {
  $ne: (operand) => none([equality(operand)]),
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
    const size = wholeNumber(operand, '$size');
    if (size < 0) throw badValue('$size may not be negative');
    return { test: (value, whole) => whole && (value as unknown[]).length === size };
  },
};
