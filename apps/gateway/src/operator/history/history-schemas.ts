import { count, flag, REQUEST_STATES, textOrNull, time, timeOrNull, word } from '@opendsr-service/operator-answers';
import { DELIVERY_OUTCOMES, REQUEST_STATUSES } from '@opendsr-service/contracts';
import { HISTORY_KINDS } from './history-entry';

const integer = (description: string) => ({ type: 'integer', description }) as const;

export const OPERATOR_HISTORY_ENTRY = {
  type: 'object',
  description: 'Something that happened to a request, without personal data.',
  additionalProperties: false,
  required: ['id', 'time', 'kind', 'facts'],
  properties: {
    id: word('Names the entry within the request.'),
    time: time('When it happened, by the clock of the process that did it.'),
    kind: {
      type: 'string',
      enum: HISTORY_KINDS,
      description:
        'What happened. `noted`: an entry of the audit trail. `command_waiting`: a decision that the request service ' +
        'has not answered. `callback_due`: the next attempt, at the time at which it is due. `parked`: a record that a service set aside.',
    },
    facts: {
      type: 'object',
      description: 'What is known of it; which fields there are, its kind says.',
      additionalProperties: false,
      properties: {
        participant: word('The participant.'),
        participant_status: word('What it reported.'),
        role: word('The role by which an operator decided.'),
        until: time('The legal date until which it was extended.'),
        command: word('What was decided.'),
        number: integer('The number of the decision.'),
        delivery_id: word('`X-Delivery-Id` of the callback.'),
        destination: word('A keyed hash of its URL.'),
        request_status: { type: 'string', enum: REQUEST_STATUSES, description: 'The status that it reports.' },
        attempt: integer('The number of the attempt.'),
        outcome: { type: 'string', enum: DELIVERY_OUTCOMES, description: 'What became of the attempt.' },
        http_status: integer('The status of the answer.'),
        duration_ms: integer('How long the answer took, in milliseconds.'),
        statement: integer('Which attestation.'),
        action: word('What the audit trail noted.'),
        service: word('The service that parked a record.'),
        topic: word('The topic of the parked record.'),
        reason: word('Why it was parked.'),
      },
    },
  },
} as const;

export const OPERATOR_HISTORY = {
  type: 'object',
  description: 'A page of what happened to a request.',
  additionalProperties: false,
  required: ['events', 'next_cursor', 'unavailable'],
  properties: {
    events: {
      type: 'array',
      items: { $ref: '#/components/schemas/OperatorHistoryEntry' },
      description: 'The earliest first, and none before its cause.',
    },
    next_cursor: textOrNull('For the next page; null where the story ends.'),
    unavailable: {
      type: 'array',
      items: { type: 'string' },
      description: 'Services that did not answer in time: their parked records are missing.',
    },
  },
} as const;

export const OPERATOR_LOG_ENTRIES = {
  type: 'object',
  description: 'A page of the entries of the transparency log that belong to a request.',
  additionalProperties: false,
  required: ['entries', 'next_cursor'],
  properties: {
    entries: {
      type: 'array',
      description: 'In the order of the log.',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['index', 'kind', 'time', 'digest', 'due_time', 'is_covered'],
        properties: {
          index: count('The place in the log, counted from 0.'),
          kind: word('What the entry is about (docs/evidence.md).'),
          time: time('When that happened.'),
          digest: word('SHA-256 of the document, base64url.'),
          due_time: timeOrNull('The legal date that it names.'),
          is_covered: flag('Whether the newest checkpoint covers it.'),
        },
      },
    },
    next_cursor: textOrNull('For the next page; null where the list ends.'),
  },
} as const;

/** What the services hold about a request. */
export const OPERATOR_REQUEST_STATES = {
  type: 'object',
  description: 'What each service holds about a request: its queues, its archive, its erasure.',
  additionalProperties: false,
  required: ['services', 'unavailable'],
  properties: {
    services: {
      type: 'object',
      description: 'By service. Null: it takes no part in the request, or did not answer in time.',
      additionalProperties: false,
      required: Object.keys(REQUEST_STATES),
      properties: Object.fromEntries(
        Object.entries(REQUEST_STATES).map(([service, schema]) => [service, { anyOf: [schema, { type: 'null' }] }]),
      ),
    },
    unavailable: {
      type: 'array',
      items: { type: 'string' },
      description: 'Services that did not answer in time.',
    },
  },
} as const;
