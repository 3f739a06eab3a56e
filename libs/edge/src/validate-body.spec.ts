import 'reflect-metadata';
import { Type } from 'class-transformer';
import { IsArray, IsIn, IsOptional, IsString, ValidateNested } from 'class-validator';
import { ApiError } from './api-error';
import { validateBody } from './validate-body';

class Identity {
  @IsIn(['email', 'other'])
  identity_type!: string;

  @IsString()
  identity_value!: string;
}

class Wish {
  @IsString()
  kind!: string;

  @IsOptional()
  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => Identity)
  subject_identities?: Identity[];
}

function messages(json: unknown, at?: string): string[] {
  try {
    validateBody(Wish, json, at);
  } catch (error) {
    if (error instanceof ApiError && error.status === 400) return error.faults.map(({ message }) => message);
  }
  throw new Error('was not refused with 400');
}

it('gives a checked instance, nested ones too, and lets unknown fields pass', () => {
  const wish = validateBody(Wish, { kind: 'access', subject_identities: [{ identity_type: 'email', identity_value: 'a' }], more: 1n });
  expect(wish).toBeInstanceOf(Wish);
  expect(wish.subject_identities?.[0]).toBeInstanceOf(Identity);
  expect(wish).toHaveProperty('more', 1n);
});

it('names every fault at once, by its path', () => {
  const faults = messages({ subject_identities: [{ identity_type: 'email', identity_value: 'a' }, {}, { identity_type: 'x', identity_value: 7 }] });
  expect(faults).toEqual([
    'kind must be a string',
    'subject_identities[1].identity_type must be one of the following values: email, other',
    'subject_identities[1].identity_value must be a string',
    'subject_identities[2].identity_type must be one of the following values: email, other',
    'subject_identities[2].identity_value must be a string',
  ]);
});

it('repeats no value that came', () => {
  const faults = messages({ kind: 1, subject_identities: [{ identity_type: 'planted-type', identity_value: ['planted-value'] }] });
  expect(faults.join()).not.toMatch(/planted/);
});

it('puts the place of an item before the path', () => {
  expect(messages({}, '[3]')).toEqual(['[3].kind must be a string']);
});

it.each([[undefined], [null], ['text'], [[]], [1]])('refuses %p where an object is needed', (json) => {
  expect(messages(json)).toEqual(['The body must be a JSON object.']);
});
