import { Binary, Decimal128, Long, MaxKey, MinKey, ObjectId, Timestamp, isPlainObject } from '../bson';
import { badValue, EmbeddedUnsupported } from '../errors';

const int32 = (value: unknown): boolean =>
  typeof value === 'number' && Number.isInteger(value) && value === (value | 0);

const types: readonly (readonly [code: number, alias: string, test: (value: unknown) => boolean])[] = [
  [1, 'double', (value) => typeof value === 'number' && !int32(value)],
  [2, 'string', (value) => typeof value === 'string'],
  [3, 'object', isPlainObject],
  [4, 'array', Array.isArray],
  [5, 'binData', (value) => value instanceof Binary || value instanceof Uint8Array],
  [7, 'objectId', (value) => value instanceof ObjectId],
  [8, 'bool', (value) => typeof value === 'boolean'],
  [9, 'date', (value) => value instanceof Date],
  [10, 'null', (value) => value === null],
  [11, 'regex', (value) => value instanceof RegExp],
  [16, 'int', int32],
  [17, 'timestamp', (value) => value instanceof Timestamp],
  [18, 'long', (value) => value instanceof Long && !(value instanceof Timestamp)],
  [19, 'decimal', (value) => value instanceof Decimal128],
  [-1, 'minKey', (value) => value instanceof MinKey],
  [127, 'maxKey', (value) => value instanceof MaxKey],
];

function oneType(operand: unknown): (value: unknown) => boolean {
  if (operand === 'number')
    return (value) => typeof value === 'number' || value instanceof Long || value instanceof Decimal128;
  const known = types.find(([code, alias]) => operand === alias || operand === code);
  if (known) return known[2];
  if (typeof operand === 'string' || typeof operand === 'number') throw new EmbeddedUnsupported(`$type ${operand}`);
  throw badValue('type must be represented as a number or a string');
}

export function typeTest(operand: unknown): (value: unknown) => boolean {
  const tests = (Array.isArray(operand) ? operand : [operand]).map(oneType);
  return (value) => tests.some((test) => test(value));
}
