// Protocol, "Identity answer". The types of the answers derive from these schemas.

const mpid = {
  type: 'string',
  pattern: '^-?\\d{1,19}$',
  description: 'A signed 64-bit integer as a decimal string, which no client loses digits of.',
} as const;

export const IDENTITY_ANSWER = {
  type: 'object',
  description: 'Whom the identities of a call stand for.',
  additionalProperties: false,
  required: ['context', 'mpid', 'matched_identities', 'is_ephemeral', 'is_logged_in'],
  properties: {
    context: { type: ['string', 'null'], description: 'The context of the call.' },
    mpid,
    matched_identities: {
      type: 'object',
      additionalProperties: { type: 'string' },
      description: 'Those of the call that belong to the profile, under the spellings of the call.',
    },
    is_ephemeral: { type: 'boolean', description: 'Whether nothing was kept, and the mpid is nobody’s.' },
    is_logged_in: { type: 'boolean', description: 'Whether a login identity is among the matched ones.' },
  },
} as const;

export const CHANGE_RESULTS = {
  type: 'object',
  description: 'What a modify changed: all that was asked for.',
  additionalProperties: false,
  required: ['change_results'],
  properties: {
    change_results: {
      type: 'array',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['identity_type', 'modified_mpid'],
        properties: {
          identity_type: { type: 'string', description: 'The spelling of the call.' },
          modified_mpid: mpid,
        },
      },
    },
  },
} as const;
