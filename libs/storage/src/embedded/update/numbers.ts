import { Long } from '../bson';
import { badValue, typeMismatch } from '../errors';
import { numeric, rankOf, ranks } from '../values';

export function wholeNumber(value: unknown, operator: string): number {
  const number = value instanceof Long ? value.toNumber() : value;
  if (typeof number !== 'number' || !Number.isInteger(number)) throw badValue(`The value for ${operator} must be an integer`);
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
  const [a, b] = [numeric(value), numeric(operand)];
  const bothWhole = [a, b].every((number) => typeof number === 'bigint' || Number.isSafeInteger(number));
  if (!bothWhole || (typeof a === 'number' && typeof b === 'number')) {
    return operator === '$inc' ? Number(a) + Number(b) : Number(a) * Number(b);
  }
  const exact = operator === '$inc' ? BigInt(a) + BigInt(b) : BigInt(a) * BigInt(b);
  if (exact < int64.min || exact > int64.max) throw badValue(`Failed to apply ${operator}: the result does not fit`);
  return Long.fromBigInt(exact);
}
