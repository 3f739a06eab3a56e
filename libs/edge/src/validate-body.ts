import type { PipeTransform } from '@nestjs/common';
import type { ClassConstructor } from 'class-transformer';
import { IS_ARRAY } from 'class-validator';
import { badRequest, enoughFaults, type Fault, invalid } from './api-error';
import { type FieldRules, type Rule, rulesOf } from './class-rules';

export const isObject = (json: unknown): json is object =>
  typeof json === 'object' && json !== null && !Array.isArray(json);

const noObject = (path: string): Fault => invalid(`${path || 'The body'} must be a JSON object.`);

/** Most messages of class-validator begin with the property; the answer names the whole path. */
const named = (message: string, property: string, path: string): string =>
  message.startsWith(`${property} `) ? `${path}${message.slice(property.length)}` : `${path}: ${message}`;

/** A value that is not a list has no other fault worth naming. */
function worthNaming(broken: readonly Rule[]): readonly Rule[] {
  const noList = broken.find(({ name }) => name === IS_ARRAY);
  return noList ? [noList] : broken;
}

class BodyCheck {
  readonly faults: Fault[] = [];

  constructor(private readonly most: number) {}

  checkObject(type: ClassConstructor<object>, json: unknown, path: string): void {
    if (!isObject(json)) {
      this.faults.push(noObject(path));
      return;
    }
    for (const field of rulesOf(type)) {
      if (this.isOver) return;
      this.checkField(field, json, path === '' ? field.name : `${path}.${field.name}`);
    }
  }

  private get isOver(): boolean {
    return this.faults.length >= this.most;
  }

  /** Checks nested values only of a correct field, so never of a list that is too long. */
  private checkField({ name, applies, rules, nested }: FieldRules, body: object, path: string): void {
    const value: unknown = Object.hasOwn(body, name) ? Reflect.get(body, name) : undefined;
    if (!applies(body, value)) return;
    const broken = rules.filter(({ isMet }) => !isMet(body, value));
    if (broken.length > 0) {
      this.faults.push(
        ...worthNaming(broken)
          .slice(0, this.most - this.faults.length)
          .map(({ message }) => invalid(named(message(body, value), name, path))),
      );
      return;
    }
    if (!nested) return;
    if (Array.isArray(value)) this.checkElements(nested, value, path);
    else this.checkObject(nested, value, path);
  }

  private checkElements(type: ClassConstructor<object>, elements: readonly unknown[], path: string): void {
    for (let n = 0; n < elements.length && !this.isOver; n++) this.checkObject(type, elements[n], `${path}[${n}]`);
  }
}

/** Checks parsed JSON by the decorators of a class and returns the same value. Throws a 400 ApiError with at most `most` faults. */
export function validateBody<T extends object>(
  type: ClassConstructor<T>,
  json: unknown,
  at = '',
  most = enoughFaults,
): T {
  const check = new BodyCheck(most);
  check.checkObject(type, json, at);
  if (check.faults.length > 0) throw badRequest(check.faults);
  return json as T;
}

/** For `@Body(new BodyOf(CreateRequest)) body: CreateRequest`. */
export class BodyOf<T extends object> implements PipeTransform<unknown, T> {
  constructor(private readonly type: ClassConstructor<T>) {}

  transform(json: unknown): T {
    return validateBody(this.type, json);
  }
}
