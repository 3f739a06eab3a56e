import { DELIVERY_OUTCOMES, REQUEST_STATUSES } from '@opendsr-service/contracts';
import { KEPT_ATTEMPTS } from '../../callbacks/fold-callback';

// Answers about callbacks: an addition to the interface.

const ATTEMPT = {
  type: 'object',
  additionalProperties: false,
  required: ['attempt', 'time', 'outcome', 'http_status', 'duration_ms'],
  properties: {
    attempt: { type: 'integer', minimum: 1, description: 'Counted from 1, including replays.' },
    time: { type: 'string', format: 'date-time', description: 'When the attempt began.' },
    outcome: {
      type: 'string',
      enum: DELIVERY_OUTCOMES,
      description:
        '`delivered`: 2xx. `gone`: 410. `rejected`: any other answer, redirects included. `unreachable`: ' +
        'no answer, for whatever reason. `postponed`: nothing was sent, for a reason of the service.',
    },
    http_status: { type: ['integer', 'null'], description: 'The status of the answer; null where there was none.' },
    duration_ms: {
      type: ['integer', 'null'],
      description: 'How long the answer took, in milliseconds; null where there was none.',
    },
  },
} as const;

export const CALLBACK_ENTRY = {
  type: 'object',
  description: 'One callback: one status of a request, for one of its URLs.',
  additionalProperties: false,
  required: [
    'delivery_id',
    'status_callback_url',
    'request_status',
    'status_time',
    'state',
    'reason',
    'attempt_count',
    'next_attempt_time',
    'attempts',
  ],
  properties: {
    delivery_id: { type: 'string', format: 'uuid', description: '`X-Delivery-Id` of every attempt.' },
    status_callback_url: {
      type: ['string', 'null'],
      format: 'uri',
      description: 'The URL; null once the key of the request is destroyed.',
    },
    request_status: { type: 'string', enum: REQUEST_STATUSES, description: 'The status that the callback reports.' },
    status_time: {
      type: ['string', 'null'],
      format: 'date-time',
      description: 'When the request reached that status; null where that was not recorded.',
    },
    state: {
      type: 'string',
      enum: ['waiting', 'delivered', 'given_up'],
      description: '`waiting`: an attempt is due, or a replay was requested.',
    },
    reason: {
      type: ['string', 'null'],
      enum: ['gone', 'exhausted', 'key_destroyed', null],
      description:
        'Why the service gave up: the URL answered 410, all attempts failed, or the key of the URL is ' +
        'destroyed. Null in every other state.',
    },
    attempt_count: { type: 'integer', minimum: 0, description: 'All attempts, including replays.' },
    next_attempt_time: {
      type: ['string', 'null'],
      format: 'date-time',
      description: 'The earliest time of the next attempt; null where none waits, or the time is not known yet.',
    },
    attempts: {
      type: 'array',
      maxItems: KEPT_ATTEMPTS,
      items: ATTEMPT,
      description: `The last ${KEPT_ATTEMPTS} attempts, the earliest first.`,
    },
  },
} as const;

export const CALLBACK_LIST = {
  type: 'object',
  description: 'The callbacks of a request.',
  additionalProperties: false,
  required: ['subject_request_id', 'callbacks'],
  properties: {
    subject_request_id: {
      type: 'string',
      format: 'uuid',
      description: 'The id of the request, as its controller wrote it first.',
    },
    callbacks: {
      type: 'array',
      items: { $ref: '#/components/schemas/CallbackEntry' },
      description: 'Grouped by URL, in the order of the status changes.',
    },
  },
} as const;
