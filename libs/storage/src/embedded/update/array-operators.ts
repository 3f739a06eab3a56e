import type { Doc } from '../bson';
import { isPlainObject } from '../bson';
import { badValue, EmbeddedUnsupported } from '../errors';
import { compileFilter } from '../filter/compile';
import { isOperators } from '../filter/operators';
import { compare, equals } from '../values';
import { comparator, sortFrom } from '../read/order';
import type { Change } from './change';
import { wholeNumber } from './numbers';

function arrayAt(value: unknown, operator: string): unknown[] {
  if (!Array.isArray(value)) throw badValue(`The field that ${operator} names must be an array`);
  return value;
}

function eachOf(operand: unknown, operator: string): { each: readonly unknown[]; modifiers: Doc } {
  if (!isPlainObject(operand) || !('$each' in operand)) return { each: [operand], modifiers: {} };
  const { $each: each, ...modifiers } = operand;
  if (!Array.isArray(each)) throw badValue(`The argument to $each in ${operator} must be an array`);
  return { each, modifiers };
}

function slice(values: unknown[], limit: number): unknown[] {
  return limit >= 0 ? values.slice(0, limit) : values.slice(limit);
}

function sorter(spec: unknown): (a: unknown, b: unknown) => number {
  if (spec === 1 || spec === -1) return (a, b) => compare(a, b) * spec;
  if (!isPlainObject(spec)) throw badValue('$sort must be 1, -1 or an object');
  const byFields = comparator(sortFrom(spec));
  const asDoc = (value: unknown): Doc => (isPlainObject(value) ? value : {});
  return (a, b) => byFields(asDoc(a), asDoc(b));
}

export function push(operand: unknown): Change {
  const { each, modifiers } = eachOf(operand, '$push');
  const { $slice, $position, $sort, ...unknown } = modifiers;
  const [name] = Object.keys(unknown);
  if (name !== undefined) throw badValue(`Unrecognized clause in $push: ${name}`);
  const position = $position === undefined ? undefined : wholeNumber($position, '$position');
  const limit = $slice === undefined ? undefined : wholeNumber($slice, '$slice');
  const order = $sort === undefined ? undefined : sorter($sort);
  return (field) => {
    const value = field.get();
    const values = value === undefined ? [] : [...arrayAt(value, '$push')];
    values.splice(position ?? values.length, 0, ...each);
    if (order) values.sort(order);
    field.set(limit === undefined ? values : slice(values, limit));
  };
}

export function addToSet(operand: unknown): Change {
  const { each, modifiers } = eachOf(operand, '$addToSet');
  const [name] = Object.keys(modifiers);
  if (name !== undefined) throw badValue(`Found unexpected fields after $each in $addToSet: ${name}`);
  return (field) => {
    const value = field.get();
    const values = value === undefined ? [] : [...arrayAt(value, '$addToSet')];
    for (const one of each) if (!values.some((other) => equals(other, one))) values.push(one);
    field.set(values);
  };
}

export function pop(operand: unknown): Change {
  if (operand !== 1 && operand !== -1) throw badValue('$pop expects 1 or -1');
  return (field) => {
    const value = field.getStrict();
    if (value === undefined) return;
    const values = arrayAt(value, '$pop');
    field.set(operand === 1 ? values.slice(0, -1) : values.slice(1));
  };
}

function matcher(condition: unknown): (element: unknown) => boolean {
  if (isOperators(condition)) {
    const { test } = compileFilter({ v: condition });
    return (element) => test({ v: element });
  }
  if (isPlainObject(condition)) {
    const { test } = compileFilter(condition);
    return (element) => isPlainObject(element) && test(element);
  }
  if (condition instanceof RegExp) throw new EmbeddedUnsupported('$pull with a regular expression');
  return (element) => equals(element, condition);
}

function keep(operator: string, goes: (element: unknown) => boolean): Change {
  return (field) => {
    const value = field.getStrict();
    if (value !== undefined) field.set(arrayAt(value, operator).filter((element) => !goes(element)));
  };
}

export const pull = (condition: unknown): Change => keep('$pull', matcher(condition));

export function pullAll(values: unknown): Change {
  if (!Array.isArray(values)) throw badValue('$pullAll requires an array argument');
  return keep('$pullAll', (element) => values.some((value) => equals(value, element)));
}
