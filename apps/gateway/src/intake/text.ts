import { isWellFormed } from '@opendsr-service/contracts';
import { IS_LENGTH, MATCHES, ValidateBy } from 'class-validator';
import { ISO_8601, parseIso8601 } from './iso-8601';

/** Counts Unicode code points. Refuses lone surrogates, since UTF-8 would make different texts equal. */
export const isText = (value: unknown, min: number, max: number): value is string =>
  typeof value === 'string' && value.length <= 2 * max && isWellFormed(value) && isBetween([...value].length, min, max);

const isBetween = (count: number, min: number, max: number): boolean => count >= min && count <= max;

/** Named as `@Length`, so that generated documents include it. */
export const Characters = (min: number, max: number): PropertyDecorator =>
  ValidateBy({
    name: IS_LENGTH,
    constraints: [min, max],
    validator: {
      validate: (value) => isText(value, min, max),
      defaultMessage: () =>
        `$property must be text of ${min === 0 ? 'at most' : `${min} to`} ${max} Unicode characters`,
    },
  });

/** Named as `@Matches`, for the same reason. */
export const Moment = (): PropertyDecorator =>
  ValidateBy({
    name: MATCHES,
    constraints: [ISO_8601],
    validator: {
      validate: (value) => typeof value === 'string' && parseIso8601(value) !== undefined,
      defaultMessage: () => '$property must be an ISO 8601 date-time',
    },
  });
