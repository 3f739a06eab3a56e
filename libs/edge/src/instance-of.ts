import { type ClassConstructor, plainToInstance } from 'class-transformer';
import { getMetadataStorage, ValidationTypes } from 'class-validator';

type NestedFields = ReadonlyMap<string, ClassConstructor<object>>;

/** Whether JSON is an object, and no list. */
export const isObject = (json: unknown): json is object => typeof json === 'object' && json !== null && !Array.isArray(json);

const known = new WeakMap<ClassConstructor<object>, NestedFields>();

/** The fields that a class declares with `@ValidateNested`, and the class that `@Type` names: what class-transformer makes of an empty object there. */
function nestedFields(type: ClassConstructor<object>): NestedFields {
  const seen = known.get(type);
  if (seen) return seen;
  const declared = getMetadataStorage().getTargetValidationMetadatas(type, '', false, false).filter((rule) => rule.type === ValidationTypes.NESTED_VALIDATION);
  const fields = new Map(declared.map(({ propertyName }) => [propertyName, classOf(type, propertyName)]));
  known.set(type, fields);
  return fields;
}

function classOf(type: ClassConstructor<object>, field: string): ClassConstructor<object> {
  const made = (plainToInstance(type, { [field]: {} }) as Record<string, object>)[field];
  return made?.constructor as ClassConstructor<object>;
}

function nested(type: ClassConstructor<object>, json: unknown): unknown {
  return Array.isArray(json) ? json.map((element: unknown) => oneOf(type, element)) : oneOf(type, json);
}

/** What is no object of its own stays as it is, and fails the checks: a list within a list too. */
const oneOf = (type: ClassConstructor<object>, json: unknown): unknown => (isObject(json) ? instanceOf(type, json) : json);

/**
 * An instance of the class with the fields of `json`: declared nested ones as instances of theirs, all others by reference. They are
 * never walked into, for what a caller puts there may have any key, and class-transformer takes some of them for its own.
 */
export function instanceOf<T extends object>(type: ClassConstructor<T>, json: object): T {
  const instance = new type();
  const nesting = nestedFields(type);
  for (const [field, value] of Object.entries(json)) {
    // A field named like what every object has, `constructor` above all, would hide from the checks what the instance is.
    if (field in Object.prototype) continue;
    const fieldType = nesting.get(field);
    Reflect.set(instance, field, fieldType ? nested(fieldType, value) : value);
  }
  return instance;
}
