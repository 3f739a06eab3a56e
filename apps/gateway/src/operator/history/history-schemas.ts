import { REQUEST_STATES } from '@opendsr-service/operator-answers';
import { DELIVERY_OUTCOMES, REQUEST_STATUSES } from '@opendsr-service/contracts';
import { HISTORY_KINDS } from './history-entry';

const text = (description: string) => ({ type: 'string', description }) as const;
const integer = (description: string) => ({ type: 'integer', description }) as const;

export const OPERATOR_HISTORY_ENTRY = {
  type: 'object',
  description: 'Something that happened to a request, without personal data.',
  additionalProperties: false,
  required: ['id', 'time', 'kind', 'facts'],
  properties: {
    id: text('Names the entry within the request.'),
    time: {
      type: 'string',
      format: 'date-time',
      description: 'When it happened, by the clock of the process that did it.',
    },
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
        participant: text('The participant.'),
        participant_status: text('What it reported.'),
        role: text('The role by which an operator decided.'),
        until: { type: 'string', format: 'date-time', description: 'The legal date until which it was extended.' },
        command: text('What was decided.'),
        number: integer('The number of the decision.'),
        delivery_id: text('`X-Delivery-Id` of the callback.'),
        destination: text('A keyed hash of its URL.'),
        request_status: { type: 'string', enum: REQUEST_STATUSES, description: 'The status that it reports.' },
        attempt: integer('The number of the attempt.'),
        outcome: { type: 'string', enum: DELIVERY_OUTCOMES, description: 'What became of the attempt.' },
        http_status: integer('The status of the answer.'),
        duration_ms: integer('How long the answer took, in milliseconds.'),
        statement: integer('Which attestation.'),
        action: text('What the audit trail noted.'),
        service: text('The service that parked a record.'),
        topic: text('The topic of the parked record.'),
        reason: text('Why it was parked.'),
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
    next_cursor: { type: ['string', 'null'], description: 'For the next page; null where the story ends.' },
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
          index: { type: 'integer', minimum: 0, description: 'The place in the log, counted from 0.' },
          kind: text('What the entry is about (docs/evidence.md).'),
          time: { type: 'string', format: 'date-time', description: 'When that happened.' },
          digest: text('SHA-256 of the document, base64url.'),
          due_time: { type: ['string', 'null'], format: 'date-time', description: 'The legal date that it names.' },
          is_covered: { type: 'boolean', description: 'Whether the newest checkpoint covers it.' },
        },
      },
    },
    next_cursor: { type: ['string', 'null'], description: 'For the next page; null where the list ends.' },
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
