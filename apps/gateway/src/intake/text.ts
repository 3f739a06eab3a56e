import { isWellFormed } from '@opendsr-service/contracts';
import { IS_LENGTH, MATCHES, ValidateBy, type ValidationOptions } from 'class-validator';
import { ISO_8601, parseIso8601 } from './iso-8601';

/**
 * Whether a value is text of so many characters, counted as Unicode code points. Half a surrogate pair is no character: in
 * UTF-8 all such halves become one sign, and different texts would be the same.
 */
export const isText = (value: unknown, min: number, max: number): value is string =>
  typeof value === 'string' && value.length <= 2 * max && isWellFormed(value) && isBetween([...value].length, min, max);

const isBetween = (count: number, min: number, max: number): boolean => count >= min && count <= max;

/** `isText` as a decorator, under the name of `@Length` so that documents made from the decorators say it too. */
export const Characters = (min: number, max: number, options?: ValidationOptions): PropertyDecorator =>
  ValidateBy(
    {
      name: IS_LENGTH,
      constraints: [min, max],
      validator: {
        validate: (value) => isText(value, min, max),
        defaultMessage: () =>
          `$property must be text of ${min === 0 ? 'at most' : `${min} to`} ${max} Unicode characters`,
      },
    },
    options,
  );

/** A date-time, or a date alone, that names a moment; under the name of `@Matches` for the same reason. */
export const Moment = (options?: ValidationOptions): PropertyDecorator =>
  ValidateBy(
    {
      name: MATCHES,
      constraints: [ISO_8601],
      validator: {
        validate: (value) => typeof value === 'string' && parseIso8601(value) !== undefined,
        defaultMessage: () => '$property must be an ISO 8601 date-time',
      },
    },
    options,
  );
