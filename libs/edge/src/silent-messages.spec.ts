import 'reflect-metadata';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayNotEmpty,
  Equals,
  IsArray,
  IsIn,
  IsInt,
  IsIP,
  IsObject,
  IsString,
  IsUUID,
  Length,
  Matches,
  Max,
  MaxLength,
  Min,
  ValidateNested,
} from 'class-validator';
import { ApiError } from './api-error';
import { validateBody } from './validate-body';

class Inner {
  @IsIn(['a', 'b'])
  one!: string;

  @IsString({ each: true })
  many!: string[];
}

/** All kinds of checks of bodies. */
class Everything {
  @Equals('raw') equal!: string;
  @IsArray() list!: unknown[];
  @ArrayNotEmpty() filled!: unknown[];
  @ArrayMaxSize(1) few!: unknown[];
  @IsInt() integer!: number;
  @Min(5) least!: number;
  @Max(5) most!: number;
  @IsIP() ip!: string;
  @IsObject() object!: object;
  @IsString() text!: string;
  @IsUUID('4') uuid!: string;
  @Length(1, 2) short!: string;
  @MaxLength(2) shorter!: string;
  @Matches(/^x$/) pattern!: string;
  @ValidateNested() @Type(() => Inner) inner!: Inner;
  @ValidateNested({ each: true }) @Type(() => Inner) inners!: Inner[];
}

function messages(json: object): string[] {
  try {
    validateBody(Everything, json);
  } catch (error) {
    if (error instanceof ApiError) return error.faults.map(({ message }) => message);
    throw error;
  }
  throw new Error('was not refused');
}

const fields = [
  'equal',
  'list',
  'filled',
  'few',
  'integer',
  'least',
  'most',
  'ip',
  'object',
  'text',
  'uuid',
  'short',
  'shorter',
  'pattern',
  'inner',
  'inners',
];
const wrongs: readonly unknown[] = [
  'planted@example.com',
  { planted: 'planted' },
  ['planted', 'planted'],
  [['planted']],
  [{ one: 'planted', many: ['planted', { planted: 1 }], planted: 'planted' }],
  { one: { planted: 1 }, many: 'planted' },
];

it.each(wrongs.map((wrong) => [JSON.stringify(wrong), wrong]))(
  'no fault of %s repeats a value or a key that was sent',
  (_text, wrong) => {
    const found = messages({
      ...Object.fromEntries(fields.map((field) => [field, wrong])),
      planted: wrong,
      constructor: wrong,
    });
    expect(found.length).toBeGreaterThan(fields.length / 2);
    expect(found.join('\n')).not.toContain('planted');
  },
);
