import { Long } from '../bson';
import { badValue, typeMismatch } from '../errors';
import { numeric, rankOf, ranks } from '../values';

export function wholeNumber(value: unknown, operator: string): number {
  const number = value instanceof Long ? value.toNumber() : value;
  if (typeof number !== 'number' || !Number.isInteger(number))
    throw badValue(`The value for ${operator} must be an integer`);
  return number;
}

function requireNumber(value: unknown, operator: string): void {
  if (rankOf(value) !== ranks.number) throw typeMismatch(`Cannot apply ${operator} to a value of a non-numeric type`);
}

const int64 = { min: -(2n ** 63n), max: 2n ** 63n - 1n };

/** Whole numbers are added exactly; with a Long among them the result is one. */
export function arithmetic(operator: '$inc' | '$mul', value: unknown, operand: unknown): unknown {
  requireNumber(operand, operator);
  if (value === undefined) return operator === '$inc' ? operand : typeof operand === 'number' ? 0 : Long.ZERO;
  requireNumber(value, operator);
  const both = [numeric(value), numeric(operand)];
  const exactly =
    both.some((number) => typeof number === 'bigint') &&
    both.every((number) => typeof number === 'bigint' || Number.isSafeInteger(number));
  return exactly ? exact(operator, both.map(BigInt)) : combine(operator, both.map(Number));
}

function combine(operator: '$inc' | '$mul', [a = 0, b = 0]: readonly number[]): number {
  return operator === '$inc' ? a + b : a * b;
}

function exact(operator: '$inc' | '$mul', [a = 0n, b = 0n]: readonly bigint[]): unknown {
  const result = operator === '$inc' ? a + b : a * b;
  if (result < int64.min || result > int64.max) throw badValue(`Failed to apply ${operator}: the result does not fit`);
  return Long.fromBigInt(result);
}
