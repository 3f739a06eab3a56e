import type { Doc } from '../bson';
import { isPlainObject } from '../bson';
import { badValue, EmbeddedUnsupported } from '../errors';
import type { Bounds } from './bounds';
import { addBound } from './bounds';
import type { Condition } from './operators';
import { comparisons, equality, isOperators } from './operators';
import { visitPath } from './paths';

type DocTest = (doc: Doc) => boolean;

export interface Filter {
  readonly test: DocTest;
  /** What every match satisfies, by path. */
  readonly bounds: Bounds;
}

const every = (tests: readonly DocTest[]): DocTest =>
  tests.length === 1 ? (tests[0] as DocTest) : (doc) => tests.every((test) => test(doc));

function onPath(path: readonly string[], { test, negate = false }: Condition): DocTest {
  const [name = ''] = path;
  if (path.length > 1) return (doc) => visitPath(doc, path, 0, test) !== negate;
  return (doc) => {
    const value = doc[name];
    return (Array.isArray(value) ? visitPath(doc, path, 0, test) : test(value, false)) !== negate;
  };
}

function not(path: readonly string[], operand: unknown): DocTest {
  if (!isOperators(operand)) throw badValue('$not needs a document of operators');
  const tests = operatorTests(path, operand, new Map());
  return (doc) => !tests.every((test) => test(doc));
}

function operatorTests(path: readonly string[], operators: Doc, bounds: Bounds): DocTest[] {
  return Object.entries(operators).flatMap(([operator, operand]): DocTest[] => {
    if (operator === '$not') return [not(path, operand)];
    const condition = comparisons[operator]?.(operand);
    if (!condition) throw new EmbeddedUnsupported(`the query operator ${operator}`);
    if (condition.bound) addBound(bounds, path.join('.'), condition.bound);
    return [onPath(path, condition)];
  });
}

function fieldTests(path: readonly string[], operand: unknown, bounds: Bounds): DocTest[] {
  if (isOperators(operand)) return operatorTests(path, operand, bounds);
  const condition = equality(operand);
  if (condition.bound) addBound(bounds, path.join('.'), condition.bound);
  return [onPath(path, condition)];
}

function clauses(operand: unknown, operator: string): Filter[] {
  if (!Array.isArray(operand) || operand.length === 0 || !operand.every(isPlainObject))
    throw badValue(`${operator} must be a nonempty array of objects`);
  return operand.map(compileFilter);
}

const logical: Record<string, (operand: unknown, bounds: Bounds) => DocTest> = {
  $and: (operand, bounds) => {
    const parts = clauses(operand, '$and');
    for (const part of parts) for (const [path, bound] of part.bounds) addBound(bounds, path, bound);
    return every(parts.map((part) => part.test));
  },
  $or: (operand) => {
    const parts = clauses(operand, '$or');
    return (doc) => parts.some(({ test }) => test(doc));
  },
  $nor: (operand) => {
    const parts = clauses(operand, '$nor');
    return (doc) => !parts.some(({ test }) => test(doc));
  },
};

/** Compiles a filter (in wire form) into a test; throws on an unknown operator. */
export function compileFilter(filter: Doc): Filter {
  const bounds: Bounds = new Map();
  const tests = Object.entries(filter).flatMap(([name, operand]): DocTest[] => {
    if (!name.startsWith('$')) return fieldTests(name.split('.'), operand, bounds);
    const compileLogical = logical[name];
    if (!compileLogical) throw new EmbeddedUnsupported(`the query operator ${name}`);
    return [compileLogical(operand, bounds)];
  });
  return { test: every(tests), bounds };
}
