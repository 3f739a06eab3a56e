import { MATCHES, ValidateBy } from 'class-validator';
import { ISO_8601, parseIso8601 } from './iso-8601';

/** Named as `@Matches`, so that generated documents include it. */
export const Moment = (): PropertyDecorator =>
  ValidateBy({
    name: MATCHES,
    constraints: [ISO_8601],
    validator: {
      validate: (value) => typeof value === 'string' && parseIso8601(value) !== undefined,
      defaultMessage: () => '$property must be an ISO 8601 date-time',
    },
  });
