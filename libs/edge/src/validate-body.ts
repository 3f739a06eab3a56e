import type { PipeTransform } from '@nestjs/common';
import type { ClassConstructor } from 'class-transformer';
import { IS_ARRAY } from 'class-validator';
import { badRequest, enoughFaults, type Fault, invalid } from './api-error';
import { type FieldRules, type Rule, rulesOf } from './class-rules';

/** Whether JSON is an object, and no list. */
export const isObject = (json: unknown): json is object =>
  typeof json === 'object' && json !== null && !Array.isArray(json);

const noObject = (path: string): Fault => invalid(`${path || 'The body'} must be a JSON object.`);

/** class-validator begins most messages with the name of the property; the reader needs the whole path. */
const named = (message: string, property: string, path: string): string =>
  message.startsWith(`${property} `) ? `${path}${message.slice(property.length)}` : `${path}: ${message}`;

/** Of what is no list nothing else is worth saying. */
function worthSaying(broken: readonly Rule[]): readonly Rule[] {
  const noList = broken.find(({ name }) => name === IS_ARRAY);
  return noList ? [noList] : broken;
}

/** A walk through a body, which ends where enough faults are found: what an answer does not name is not looked for. */
class Walk {
  readonly faults: Fault[] = [];

  constructor(private readonly most: number) {}

  of(type: ClassConstructor<object>, json: unknown, path: string): void {
    if (!isObject(json)) {
      this.faults.push(noObject(path));
      return;
    }
    for (const field of rulesOf(type)) {
      if (this.isOver) return;
      this.ofField(field, json, path === '' ? field.name : `${path}.${field.name}`);
    }
  }

  private get isOver(): boolean {
    return this.faults.length >= this.most;
  }

  /** What stands inside is looked at only where the field itself is as it should be, a list above all not too long. */
  private ofField({ name, applies, rules, nested }: FieldRules, body: object, path: string): void {
    const value: unknown = Object.hasOwn(body, name) ? Reflect.get(body, name) : undefined;
    if (!applies(body, value)) return;
    const broken = rules.filter(({ isMet }) => !isMet(body, value));
    this.faults.push(
      ...worthSaying(broken)
        .slice(0, this.most - this.faults.length)
        .map(({ message }) => invalid(named(message(body, value), name, path))),
    );
    if (!nested || broken.length > 0) return;
    if (Array.isArray(value)) this.ofElements(nested, value, path);
    else this.of(nested, value, path);
  }

  private ofElements(type: ClassConstructor<object>, elements: readonly unknown[], path: string): void {
    for (let n = 0; n < elements.length && !this.isOver; n++) this.of(type, elements[n], `${path}[${n}]`);
  }
}

/**
 * Checks parsed JSON by the class-validator decorators of a class; fields with `@ValidateNested` need `@Type` too.
 * What it gives is the very
 * value that was parsed, unknown fields included. Throws a 400 ApiError that names the faults by their path below `at`; no more than `most`
 * are looked for. The messages hold no value.
 */
export function validateBody<T extends object>(
  type: ClassConstructor<T>,
  json: unknown,
  at = '',
  most = enoughFaults,
): T {
  const walk = new Walk(most);
  walk.of(type, json, at);
  if (walk.faults.length > 0) throw badRequest(walk.faults);
  return json as T;
}

/** The same as a pipe: `@Body(new BodyOf(CreateRequest)) body: CreateRequest`. */
export class BodyOf<T extends object> implements PipeTransform<unknown, T> {
  constructor(private readonly type: ClassConstructor<T>) {}

  transform(json: unknown): T {
    return validateBody(this.type, json);
  }
}
