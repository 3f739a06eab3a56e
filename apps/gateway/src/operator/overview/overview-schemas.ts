import { count, time } from '@opendsr-service/operator-answers';
import { boundedCount, MOST_COUNTED } from '../requests/most-counted';
import { DAYS } from './throughput';

const spans = (what: string) =>
  ({
    type: 'object',
    description: `How many were ${what}.`,
    additionalProperties: false,
    required: ['day', 'week'],
    properties: { day: count('In the last 24 hours.'), week: count('In the last seven days.') },
  }) as const;

const DAY_COUNTS = {
  type: 'object',
  additionalProperties: false,
  required: ['day', 'received', 'ended'],
  properties: {
    day: { type: 'string', format: 'date', description: 'The day, in UTC.' },
    received: count('How many were received.'),
    ended: count('How many were completed or cancelled.'),
  },
} as const;

export const OPERATOR_OVERVIEW = {
  type: 'object',
  description: 'How the service does, beside the counts of requests that have not ended.',
  additionalProperties: false,
  required: ['read_time', 'received', 'ended', 'days', 'callbacks_failing', 'destinations', 'service', 'unavailable'],
  properties: {
    read_time: time('When it was read: nothing that happened before is missing.'),
    received: spans('received'),
    ended: spans('completed or cancelled'),
    days: {
      type: 'array',
      minItems: DAYS,
      maxItems: DAYS,
      items: DAY_COUNTS,
      description: 'The same for each of the last days in UTC, the earliest first. The last of them is not over.',
    },
    callbacks_failing: boundedCount(`Requests with a failing callback; the count stops at ${MOST_COUNTED}.`),
    destinations: {
      type: ['object', 'null'],
      description: 'Hosts that receive callbacks. Null while the callback-dispatcher does not answer.',
      additionalProperties: false,
      required: ['failing', 'paused'],
      properties: {
        failing: boundedCount('Whose last attempt failed.'),
        paused: boundedCount('That were unreachable so often that only probes are sent.'),
      },
    },
    service: {
      type: ['object', 'null'],
      description: 'What concerns no workspace, of the services that answered. Null without a role in all workspaces.',
      additionalProperties: false,
      required: ['parked', 'consumer_lag', 'oldest_outbox_seconds', 'first_certificate'],
      properties: {
        parked: {
          type: 'object',
          description: 'How many records are parked.',
          additionalProperties: false,
          required: ['blocking', 'aside'],
          properties: {
            blocking: count('Those that hold back later records of their key, and those that wait.'),
            aside: count('Those that hold nothing back.'),
          },
        },
        consumer_lag: count('How many records the consumer group that is furthest behind has not handled.'),
        oldest_outbox_seconds: {
          type: 'number',
          minimum: 0,
          description: 'The age of the oldest entry that waits to be published; 0 where none waits.',
        },
        first_certificate: {
          type: ['object', 'null'],
          description: 'The certificate that signs receipts and callbacks, and ends first. Null where none is known.',
          additionalProperties: false,
          required: ['version', 'ends_time', 'days_left'],
          properties: {
            version: { type: 'string', enum: ['v2', 'v1'], description: 'The version of the protocol.' },
            ends_time: time('When it ends.'),
            days_left: { type: 'integer', description: 'Whole days until then; negative once it has ended.' },
          },
        },
      },
    },
    unavailable: {
      type: 'array',
      items: { type: 'string' },
      description: 'Services that did not answer in time: what they have is missing.',
    },
  },
} as const;
