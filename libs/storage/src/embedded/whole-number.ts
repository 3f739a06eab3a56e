import { badValue } from './errors';

export function wholeNumber(value: unknown, operator: string): number {
  if (typeof value !== 'number' || !Number.isInteger(value))
    throw badValue(`The value for ${operator} must be an integer`);
  return value;
}
