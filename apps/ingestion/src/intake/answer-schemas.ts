// Protocol, "Identity answer". The types of the answers derive from these schemas.

const mpid = {
  type: 'string',
  pattern: '^-?\\d{1,19}$',
  description: 'A signed 64-bit integer as a decimal string, so that clients lose no digits.',
} as const;

export const IDENTITY_ANSWER = {
  type: 'object',
  description: 'The profile of the identities of a call.',
  additionalProperties: false,
  required: ['context', 'mpid', 'matched_identities', 'is_ephemeral', 'is_logged_in'],
  properties: {
    context: { type: ['string', 'null'], description: 'The context of the call.' },
    mpid,
    matched_identities: {
      type: 'object',
      additionalProperties: { type: 'string' },
      description:
        'The identities of the call that belong to the profile: the names of the call, with normalised values ' +
        '(in composed form (NFC), without blanks and invisible characters at both ends; e-mail addresses and device ids in ' +
        'lower case, e-mail domains in their ASCII form; phone numbers without blanks, hyphens, brackets, dots and ' +
        'slashes, a leading `00` as `+`).',
    },
    is_ephemeral: { type: 'boolean', description: 'Whether nothing was stored. Then the mpid belongs to no profile.' },
    is_logged_in: { type: 'boolean', description: 'Whether a login identity is among the matched ones.' },
  },
} as const;

export const CHANGE_RESULTS = {
  type: 'object',
  description: 'The changes of a modify: all that were requested.',
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
          identity_type: { type: 'string', description: 'In the spelling of the call.' },
          modified_mpid: mpid,
        },
      },
    },
  },
} as const;
