import { textOrNull, time, timeOrNull, word } from '@opendsr-service/operator-answers';
import { REVEAL_STATES } from './reveal.document';

export const REVEALED_IDENTITIES = {
  type: 'object',
  description: 'Whom a request is about, and what else is sealed under its key.',
  additionalProperties: false,
  required: [
    ...(['workspace', 'subject_request_id', 'identities', 'group_id', 'callback_hosts'] as const),
    ...(['extension_reason', 'decisions'] as const),
  ],
  properties: {
    workspace: word('The workspace that the request belongs to.'),
    subject_request_id: { type: 'string', format: 'uuid', description: 'The id of the request.' },
    identities: {
      type: 'array',
      description: 'The identities of the data subject.',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['identity_type', 'identity_value'],
        properties: {
          identity_type: word('What it is.'),
          identity_value: word('Its value, as the service compares it.'),
        },
      },
    },
    group_id: textOrNull('The name of its group; null without one.'),
    callback_hosts: { type: 'array', items: { type: 'string' }, description: 'The hosts of its callback URLs.' },
    extension_reason: textOrNull('Why its legal date was extended.'),
    decisions: {
      type: 'array',
      description: 'What operators asked for by the API about this request, the earliest first.',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['action', 'time', 'by', 'reason'],
        properties: {
          action: word('What was asked for.'),
          time: time('When it was asked for.'),
          by: word('The subject of the token.'),
          reason: word('Why.'),
        },
      },
    },
  },
} as const;

export const OPERATOR_REVEAL = {
  type: 'object',
  description: 'A wish to see whom a request is about, which a second person must approve.',
  additionalProperties: false,
  required: [
    ...(['id', 'workspace', 'subject_request_id', 'state', 'asked_by', 'asked_role', 'asked_time'] as const),
    ...(['reason', 'approved_by', 'approved_time', 'ends_time'] as const),
  ],
  properties: {
    id: { type: 'string', format: 'uuid', description: 'The id of the wish.' },
    workspace: word('The workspace that the request belongs to.'),
    subject_request_id: { type: 'string', format: 'uuid', description: 'The id of the request.' },
    state: { type: 'string', enum: REVEAL_STATES, description: 'How it stands. `used`: the identities were shown.' },
    asked_by: word('The subject of who asks.'),
    asked_role: word('The role of who asks.'),
    asked_time: time('When it was asked for.'),
    reason: textOrNull('Why; null once the key of the request is destroyed.'),
    approved_by: textOrNull('The subject of who approved it.'),
    approved_time: timeOrNull('When it was approved.'),
    ends_time: time('Until when it counts.'),
  },
} as const;

export const OPERATOR_REVEAL_LIST = {
  type: 'object',
  description: 'A page of wishes.',
  additionalProperties: false,
  required: ['reveals', 'next_cursor'],
  properties: {
    reveals: {
      type: 'array',
      items: { $ref: '#/components/schemas/OperatorReveal' },
      description: 'The earliest first.',
    },
    next_cursor: textOrNull('For the next page; null where the list ends.'),
  },
} as const;
