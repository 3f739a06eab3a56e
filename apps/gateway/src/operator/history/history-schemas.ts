import {
  count,
  flag,
  nextCursor,
  object,
  objects,
  oneOf,
  textOrNull,
  time,
  timeOrNull,
  word,
} from '@opendsr-service/edge';
import { REQUEST_STATES } from '@opendsr-service/operator-answers';
import { DELIVERY_OUTCOMES, REQUEST_STATUSES } from '@opendsr-service/contracts';
import { unavailableServices } from '../lists/list-parts';

/** At the same instant in this order. `noted`: an entry of the audit trail, before what it is about. `callback_due`: when the next attempt is. `command_waiting`: a decision that the request service has not answered. */
export const HISTORY_KINDS = [
  ...(['received', 'noted', 'started', 'participant_reported', 'extended', 'completed', 'cancelled'] as const),
  ...(['command_waiting', 'callback_queued', 'callback_attempted', 'callback_due'] as const),
  ...(['attested', 'key_destroyed', 'parked'] as const),
] as const;

const integer = (description: string) => ({ type: 'integer', description }) as const;

export const OPERATOR_HISTORY_ENTRY = object('Something that happened to a request, without personal data.', {
  id: word('Names the entry within the request.'),
  time: time('When it happened, by the clock of the process that did it.'),
  kind: oneOf(
    HISTORY_KINDS,
    'What happened. `noted`: an entry of the audit trail. `command_waiting`: a decision that the request service ' +
      'has not answered. `callback_due`: the next attempt, at the time at which it is due. `parked`: a record that a service set aside.',
  ),
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
      request_status: oneOf(REQUEST_STATUSES, 'The status that it reports.'),
      attempt: integer('The number of the attempt.'),
      outcome: oneOf(DELIVERY_OUTCOMES, 'What became of the attempt.'),
      http_status: integer('The status of the answer.'),
      duration_ms: integer('How long the answer took, in milliseconds.'),
      statement: integer('Which attestation.'),
      action: word('What the audit trail noted.'),
      service: word('The service that parked a record.'),
      topic: word('The topic of the parked record.'),
      reason: word('Why it was parked.'),
    },
  },
});

export const OPERATOR_HISTORY = object('A page of what happened to a request.', {
  events: {
    type: 'array',
    items: { $ref: '#/components/schemas/OperatorHistoryEntry' },
    description: 'The earliest first, and none before its cause.',
  },
  next_cursor: textOrNull('For the next page; null where the story ends.'),
  unavailable: {
    ...unavailableServices,
    description: 'Services that did not answer in time: their parked records are missing.',
  },
});

export const OPERATOR_LOG_ENTRIES = object('A page of the entries of the transparency log that belong to a request.', {
  entries: objects('In the order of the log.', {
    index: count('The place in the log, counted from 0.'),
    kind: word('What the entry is about (docs/evidence.md).'),
    time: time('When that happened.'),
    digest: word('SHA-256 of the document, base64url.'),
    due_time: timeOrNull('The legal date that it names.'),
    is_covered: flag('Whether the newest checkpoint covers it.'),
  }),
  next_cursor: nextCursor,
});

/** What the services hold about a request. */
export const OPERATOR_REQUEST_STATES = object(
  'What each service holds about a request: its queues, its archive, its erasure.',
  {
    services: object(
      'By service. Null: it takes no part in the request, or did not answer in time.',
      Object.fromEntries(
        Object.entries(REQUEST_STATES).map(([service, schema]) => [service, { anyOf: [schema, { type: 'null' }] }]),
      ),
    ),
    unavailable: { ...unavailableServices, description: 'Services that did not answer in time.' },
  },
);
