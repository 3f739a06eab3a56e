import { isText } from '@opendsr-service/contracts';
import { IS_LENGTH, ValidateBy } from 'class-validator';

/** Text of `min` to `max` Unicode characters. Named as `@Length`, so that generated documents include it. */
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
