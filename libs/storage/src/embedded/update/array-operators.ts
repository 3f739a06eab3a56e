import type { Doc } from '../bson';
import { isPlainObject } from '../bson';
import { badValue, EmbeddedUnsupported } from '../errors';
import { compileFilter } from '../filter/compile';
import { isOperators } from '../filter/operators';
import { equals } from '../values';
import { wholeNumber } from '../whole-number';
import type { Change } from './field-path';

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

export function push(operand: unknown): Change {
  const { each, modifiers } = eachOf(operand, '$push');
  const { $slice, ...unknown } = modifiers;
  const [name] = Object.keys(unknown);
  if (name !== undefined) throw badValue(`Unrecognized clause in $push: ${name}`);
  const limit = $slice === undefined ? undefined : wholeNumber($slice, '$slice');
  return (field) => {
    const value = field.get();
    const values = value === undefined ? [...each] : [...arrayAt(value, '$push'), ...each];
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

/** The condition is a filter of elements that are documents. */
export function pull(condition: unknown): Change {
  if (!isPlainObject(condition) || isOperators(condition))
    throw new EmbeddedUnsupported('$pull of other than documents');
  const { test } = compileFilter(condition);
  return (field) => {
    const value = field.get();
    if (value !== undefined)
      field.set(arrayAt(value, '$pull').filter((element) => !(isPlainObject(element) && test(element))));
  };
}
