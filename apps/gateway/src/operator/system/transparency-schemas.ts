import { count, flag, textOrNull, timeOrNull, word } from '@opendsr-service/operator-answers';
export const OPERATOR_TRANSPARENCY = {
  type: 'object',
  description: 'How the transparency log is.',
  additionalProperties: false,
  required: ['size', 'checkpoint', 'verifier_key', 'uncovered_since', 'witnesses'],
  properties: {
    size: count('How many leaves the newest checkpoint covers.'),
    checkpoint: textOrNull('The newest checkpoint. Null before the first one.'),
    verifier_key: word('What checks its signature.'),
    uncovered_since: timeOrNull('Since when the oldest leaf waits that no checkpoint covers. Null: none waits.'),
    witnesses: {
      type: 'array',
      description: 'Who is asked to cosign it.',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['name', 'has_cosigned', 'since', 'reason'],
        properties: {
          name: word('Its name.'),
          has_cosigned: flag('Whether it has ever cosigned.'),
          since: timeOrNull('When it cosigned last, or was asked first. Null: it was never asked.'),
          reason: textOrNull('Why it did not cosign when it was asked last.'),
        },
      },
    },
  },
} as const;
