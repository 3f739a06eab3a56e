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
export function increment(value: unknown, operand: unknown): unknown {
  requireNumber(operand, '$inc');
  if (value === undefined) return operand;
  requireNumber(value, '$inc');
  const both = [numeric(value), numeric(operand)];
  const exactly =
    both.some((number) => typeof number === 'bigint') &&
    both.every((number) => typeof number === 'bigint' || Number.isSafeInteger(number));
  if (!exactly) return both.map(Number).reduce((sum, number) => sum + number);
  const sum = both.map(BigInt).reduce((total, number) => total + number, 0n);
  if (sum < int64.min || sum > int64.max) throw badValue('Failed to apply $inc: the result does not fit');
  return Long.fromBigInt(sum);
}
