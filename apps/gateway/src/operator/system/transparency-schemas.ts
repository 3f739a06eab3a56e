export const OPERATOR_TRANSPARENCY = {
  type: 'object',
  description: 'How the transparency log is.',
  additionalProperties: false,
  required: ['size', 'checkpoint', 'verifier_key', 'uncovered_since', 'witnesses'],
  properties: {
    size: { type: 'integer', minimum: 0, description: 'How many leaves the newest checkpoint covers.' },
    checkpoint: { type: ['string', 'null'], description: 'The newest checkpoint. Null before the first one.' },
    verifier_key: { type: 'string', description: 'What checks its signature.' },
    uncovered_since: {
      type: ['string', 'null'],
      format: 'date-time',
      description: 'Since when the oldest leaf waits that no checkpoint covers. Null: none waits.',
    },
    witnesses: {
      type: 'array',
      description: 'Who is asked to cosign it.',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['name', 'has_cosigned', 'since', 'reason'],
        properties: {
          name: { type: 'string', description: 'Its name.' },
          has_cosigned: { type: 'boolean', description: 'Whether it has ever cosigned.' },
          since: {
            type: ['string', 'null'],
            format: 'date-time',
            description: 'When it cosigned last, or was asked first. Null: it was never asked.',
          },
          reason: { type: ['string', 'null'], description: 'Why it did not cosign when it was asked last.' },
        },
      },
    },
  },
} as const;
