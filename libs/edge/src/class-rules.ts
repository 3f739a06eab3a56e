import { type ClassConstructor, plainToInstance } from 'class-transformer';
import { getMetadataStorage, type ValidationArguments, ValidationTypes } from 'class-validator';

type Declared = ReturnType<ReturnType<typeof getMetadataStorage>['getTargetValidationMetadatas']>[number];

export interface Rule {
  readonly name: string | undefined;
  readonly isMet: (body: object, value: unknown) => boolean;
  readonly message: (body: object, value: unknown) => string;
}

export interface FieldRules {
  readonly name: string;
  readonly applies: (body: object, value: unknown) => boolean;
  readonly rules: readonly Rule[];
  readonly nested: ClassConstructor<object> | undefined;
}

const known = new WeakMap<ClassConstructor<object>, readonly FieldRules[]>();

/** The rules that class-validator's decorators declare. class-validator itself checks every element of a list, however long. */
export function rulesOf(type: ClassConstructor<object>): readonly FieldRules[] {
  const seen = known.get(type);
  if (seen) return seen;
  const declared = Map.groupBy(
    getMetadataStorage().getTargetValidationMetadatas(type, '', false, false),
    ({ propertyName }) => propertyName,
  );
  if (declared.size === 0) throw new Error(`${type.name} declares no rules`);
  const rules = [...declared].map(([name, all]) => fieldRules(type, name, all));
  known.set(type, rules);
  return rules;
}

function fieldRules(type: ClassConstructor<object>, name: string, declared: readonly Declared[]): FieldRules {
  const of = (kind: string) => declared.filter((one) => one.type === kind);
  const [conditions, rules, nested] = [
    of(ValidationTypes.CONDITIONAL_VALIDATION),
    of(ValidationTypes.CUSTOM_VALIDATION),
    of(ValidationTypes.NESTED_VALIDATION),
  ];
  if (conditions.length + rules.length + nested.length < declared.length)
    throw new Error(`${type.name}.${name} has a decorator that bodies cannot have`);
  return {
    name,
    applies: (body, value) =>
      conditions.every(({ constraints }) =>
        (constraints as [(body: object, value: unknown) => boolean])[0](body, value),
      ),
    rules: rules.map((one) => ruleOf(type, one)),
    nested: nested.length > 0 ? nestedClass(type, name) : undefined,
  };
}

function ruleOf(
  type: ClassConstructor<object>,
  { name, propertyName: property, constraints: given, constraintCls, each, message }: Declared,
): Rule {
  const constraints = (given ?? []) as unknown[];
  const check = getMetadataStorage().getTargetValidatorConstraints(constraintCls)[0]?.instance;
  if (!check) throw new Error(`${type.name}.${property} has a decorator without a check`);
  const argumentsOf = (object: object, value: unknown): ValidationArguments => ({
    targetName: type.name,
    property,
    object,
    value,
    constraints,
  });
  const text = (args: ValidationArguments): string =>
    typeof message === 'function'
      ? message(args)
      : message || (check.defaultMessage?.(args) ?? `${property} is not valid`);
  return {
    name,
    isMet: (body, value) => {
      const args = argumentsOf(body, value);
      const isMetBy = (one: unknown): boolean => check.validate(one, args) === true;
      return each && Array.isArray(value) ? value.every(isMetBy) : isMetBy(value);
    },
    message: (body, value) => withWords(text(argumentsOf(body, value)), property, constraints),
  };
}

const withWords = (message: string, property: string, constraints: readonly unknown[]): string =>
  message.replaceAll(/\$(?:property|constraint(\d+))/g, (_word, place?: string) =>
    place === undefined ? property : [constraints[Number(place) - 1]].flat().join(', '),
  );

/** class-transformer makes an instance of the nested class from an empty object. */
function nestedClass(type: ClassConstructor<object>, field: string): ClassConstructor<object> {
  const made = (plainToInstance(type, { [field]: {} }) as Record<string, object>)[field];
  return made?.constructor as ClassConstructor<object>;
}
