import type { PipeTransform } from '@nestjs/common';
import type { ClassConstructor } from 'class-transformer';
import { type ValidationError, validateSync } from 'class-validator';
import { badRequest, type Fault, invalid } from './api-error';
import { instanceOf, isObject } from './instance-of';

const step = (path: string, property: string): string =>
  /^\d+$/.test(property) ? `${path}[${property}]` : path === '' ? property : `${path}.${property}`;

/** class-validator begins most messages with the name of the property; the reader needs the whole path. */
const named = (message: string, property: string, path: string): string =>
  message.startsWith(`${property} `) ? `${path}${message.slice(property.length)}` : `${path}: ${message}`;

function faultsOf(errors: readonly ValidationError[], path: string): Fault[] {
  return errors.flatMap(({ property, constraints = {}, children = [] }) => {
    // Of no class that was declared: an object in a list within a list. There is no property to name then.
    if ('unknownValue' in constraints) return [invalid(`${path} stands where no object is expected`)];
    const here = step(path, property);
    // Of what is no list nothing else is worth saying.
    if (constraints.isArray !== undefined) return [invalid(named(constraints.isArray, property, here))];
    return [...Object.values(constraints).map((message) => invalid(named(message, property, here))), ...faultsOf(children, here)];
  });
}

/**
 * Turns parsed JSON into a checked instance of a class with class-validator decorators; fields with `@ValidateNested` need `@Type` too.
 * Every other field, unknown ones included, is the very value that was parsed. Throws a 400 ApiError that names every fault by
 * its path below `at`; the messages hold no value.
 */
export function validateBody<T extends object>(type: ClassConstructor<T>, json: unknown, at = ''): T {
  if (!isObject(json)) throw badRequest([invalid(`${at || 'The body'} must be a JSON object.`)]);
  const body = instanceOf(type, json);
  const errors = validateSync(body, { validationError: { target: false, value: false } });
  if (errors.length > 0) throw badRequest(faultsOf(errors, at));
  return body;
}

/** The same as a pipe: `@Body(new BodyOf(CreateRequest)) body: CreateRequest`. */
export class BodyOf<T extends object> implements PipeTransform<unknown, T> {
  constructor(private readonly type: ClassConstructor<T>) {}

  transform(json: unknown): T {
    return validateBody(this.type, json);
  }
}
