import type { Doc } from '../bson';
import { copyOf, isPlainObject } from '../bson';
import { badValue, conflictingUpdate, EmbeddedUnsupported, serverError, typeMismatch } from '../errors';
import { compare, rankOf, ranks } from '../values';
import { addToSet, pull, push } from './array-operators';
import { FieldPath, type Change } from './field-path';

/** Changes a document in field; `inserting` is true for the document that an upsert makes. */
export type Update = (doc: Doc, inserting: boolean) => void;

/** Each document gets a copy of its own: two that share an object would change together. */
const set =
  (operand: unknown): Change =>
  (field) =>
    field.set(copyOf(operand));

const minimum =
  (operand: unknown): Change =>
  (field) => {
    const value = field.get();
    if (value === undefined || compare(operand, value) < 0) field.set(copyOf(operand));
  };

function summand(value: unknown): number {
  if (rankOf(value) !== ranks.number) throw typeMismatch('Cannot apply $inc to a value of a non-numeric type');
  return value as number;
}

const increment =
  (operand: unknown): Change =>
  (field) => {
    const value = field.get();
    field.set(value === undefined ? summand(operand) : summand(value) + summand(operand));
  };

const operators: Record<string, (operand: unknown) => Change> = {
  $set: set,
  $setOnInsert: set,
  $unset: () => (field) => field.unset(),
  $inc: increment,
  $min: minimum,
  $push: push,
  $addToSet: addToSet,
  $pull: pull,
};

interface Step {
  readonly path: readonly string[];
  readonly onlyInserting: boolean;
  readonly change: Change;
}

function pathOf(name: string): string[] {
  const path = name.split('.');
  if (path.some((part) => part.startsWith('$'))) throw new EmbeddedUnsupported('positional operators in an update');
  if (path.includes('')) throw serverError(56, `The update path '${name}' contains an empty field name`);
  return path;
}

/** Fields are changed in the order of their names, regardless of the update's order. */
function byPath({ path: a }: Step, { path: b }: Step): number {
  for (let n = 0; n < Math.min(a.length, b.length); n++) {
    const [x, y] = [a[n] as string, b[n] as string];
    if (x !== y) return x < y ? -1 : 1;
  }
  return a.length - b.length;
}

/** In this order a nested path directly follows its parent. */
function refuseConflicts(steps: readonly Step[]): void {
  steps.forEach(({ path }, n) => {
    const before = steps[n - 1]?.path;
    if (before?.every((part, at) => path[at] === part)) throw conflictingUpdate(path.join('.'));
  });
}

/** Compiles an update document in its wire form; throws on every unknown operator. */
export function compileUpdate(update: unknown): Update {
  if (Array.isArray(update)) throw new EmbeddedUnsupported('update pipelines');
  if (!isPlainObject(update)) throw badValue('An update must be a document');
  const steps = Object.entries(update).flatMap(([name, fields]) => {
    const operator = operators[name];
    if (!operator)
      throw name.startsWith('$')
        ? new EmbeddedUnsupported(`the update operator ${name}`)
        : badValue('Update document requires atomic operators');
    if (!isPlainObject(fields))
      throw serverError(9, `Modifiers operate on fields but a value of another type was found for ${name}`);
    return Object.entries(fields).map(([path, operand]): Step => ({
      path: pathOf(path),
      onlyInserting: name === '$setOnInsert',
      change: operator(operand),
    }));
  });
  if (Object.keys(update).length === 0) throw badValue('Update document requires atomic operators');
  steps.sort(byPath);
  refuseConflicts(steps);
  return (doc, inserting) => {
    for (const { path, onlyInserting, change } of steps)
      if (inserting || !onlyInserting) change(new FieldPath(doc, path));
  };
}
