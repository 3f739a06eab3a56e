import {
  count,
  flag,
  item,
  object,
  objects,
  oneOf,
  oneOfOrNull,
  textOrNull,
  time,
  timeOrNull,
  word,
} from '@opendsr-service/edge';
import { DELIVERY_OUTCOMES, REGULATIONS, REQUEST_STATUSES, REQUEST_TYPES } from '@opendsr-service/contracts';
import { KEPT_ATTEMPTS } from '../../callbacks/fold-callback';
import { pageSchema } from '../lists/list-parts';
import { LEGAL_STATES } from './legal-state';

/** Counts of operators' answers stop here. */
export const MOST_COUNTED = 10_000;

/** The schema of a count that stops there. */
export const boundedCount = (description: string) => ({ ...count(description), maximum: MOST_COUNTED }) as const;

const SUMMARY = {
  workspace: word('The workspace that the request belongs to.'),
  subject_request_id: { type: 'string', format: 'uuid', description: 'The id of the request.' },
  controller_id: word('The id of the controller.'),
  subject_request_type: oneOf(REQUEST_TYPES, 'What the data subject asks for.'),
  regulation: oneOfOrNull(
    REGULATIONS,
    'The law by which its time is counted. Null where an earlier version received it.',
  ),
  request_status: oneOf(REQUEST_STATUSES, 'The status.'),
  legal_state: oneOfOrNull(
    LEGAL_STATES,
    'How it stands to its legal date; `kept` or `missed` once it has ended. Null without such a date.',
  ),
  received_time: time('When it was received.'),
  expected_completion_time: time('As last announced to its controller.'),
  legal_due_time: timeOrNull('The legal date that counts now, with its extension. Null where none was counted.'),
  extended: flag('Whether its legal date was extended.'),
  ended_time: timeOrNull('When it was completed or cancelled.'),
  callbacks_failing: flag(
    'Whether the last attempt of a callback failed that could be delivered yet, by itself or by a replay.',
  ),
} as const;

export const OPERATOR_REQUEST = object('A request in a list, without personal data.', SUMMARY);

export const OPERATOR_REQUEST_LIST = pageSchema({
  name: 'requests',
  item: 'OperatorRequest',
  description: 'A page of requests.',
  items: 'In the order of the list. It may be shorter than asked for, and even empty, with a further page.',
});

export const OPERATOR_REQUEST_COUNTS = object(
  `How many requests have not ended. Each count stops at ${MOST_COUNTED}.`,
  {
    counted_time: time('When they were counted: nothing that happened before is missing.'),
    open: boundedCount('That have not ended.'),
    pending: boundedCount('That have not started.'),
    in_progress: boundedCount('That have started.'),
    on_track: boundedCount('Neither at risk nor overdue.'),
    at_risk: boundedCount('At risk to miss their legal date, which is not over.'),
    overdue: boundedCount('Whose legal date is over.'),
    due_within_week: boundedCount('Whose legal date is within seven days.'),
    open_over_7_days: boundedCount('That were received more than seven days ago.'),
    open_over_30_days: boundedCount('That were received more than 30 days ago.'),
    open_over_60_days: boundedCount('That were received more than 60 days ago.'),
  },
);

export const OPERATOR_REQUEST_STORY = object('A request with what the gateway knows of it, without personal data.', {
  ...SUMMARY,
  api_version: word('The version of the interface that it was made with.'),
  times: object('When what happened, or will.', {
    submitted: time('When the data subject asked, by its controller.'),
    legal_since: timeOrNull('From when on the law counts.'),
    first_legal_due: timeOrNull('The legal date before an extension.'),
    at_risk: timeOrNull('From when on it is at risk to miss its legal date.'),
    extended: timeOrNull('When its legal date was extended.'),
    start: timeOrNull('When it starts, while it is pending.'),
    started: timeOrNull('When it started.'),
    completed: timeOrNull('When it was completed.'),
    cancelled: timeOrNull('When it was cancelled.'),
    key_due: timeOrNull('From when on its key is destroyed.'),
    key_destroyed: timeOrNull('When its key was destroyed.'),
  }),
  extended_by: textOrNull('The role that extended its legal date.'),
  group_size: { type: ['integer', 'null'], description: 'Requests of its group; null without one.' },
  key: oneOf(
    ['alive', 'destroyed', 'lost'],
    'Its key. `lost`: it does not exist, and was not destroyed by this service.',
  ),
  decisions: { type: 'integer', minimum: 1, description: 'The number of its last decision.' },
  event_version: count('The last request event that the gateway has seen.'),
  waiting_commands: objects('Commands that the request service has not answered.', {
    number: { type: 'integer', minimum: 1, description: 'The number of the decision.' },
    type: word('What was decided.'),
    time: time('When it was decided.'),
  }),
  participants: objects('The outside participants, once it has started.', {
    name: word('The participant.'),
    status: word('How far its share is.'),
  }),
  open_destinations: count('Callback URLs that are not settled.'),
});

export const OPERATOR_CALLBACK = object('One callback: one status of a request, for one of its URLs.', {
  delivery_id: word('`X-Delivery-Id` of every attempt.'),
  destination: word('A keyed hash of the URL, which is never shown here.'),
  request_status: oneOf(REQUEST_STATUSES, 'The status that it reports.'),
  status_time: timeOrNull('When the request reached that status; null where that was not recorded.'),
  state: oneOf(['waiting', 'delivered', 'given_up'], 'How it stands.'),
  reason: oneOfOrNull(['gone', 'exhausted', 'key_destroyed'], 'Why it was given up.'),
  attempt_count: count('All attempts, including replays.'),
  next_attempt_time: timeOrNull('The earliest time of the next attempt.'),
  attempts: {
    type: 'array',
    maxItems: KEPT_ATTEMPTS,
    description: `The last ${KEPT_ATTEMPTS} attempts, the earliest first.`,
    items: item({
      attempt: { type: 'integer', minimum: 1, description: 'Counted from 1.' },
      time: time('When it began.'),
      outcome: oneOf(DELIVERY_OUTCOMES, 'What became of it.'),
      http_status: { type: ['integer', 'null'], description: 'The status of the answer.' },
      duration_ms: { type: ['integer', 'null'], description: 'How long the answer took, in milliseconds.' },
    }),
  },
});

export const OPERATOR_CALLBACK_LIST = pageSchema({
  name: 'callbacks',
  item: 'OperatorCallback',
  description: 'A page of the callbacks of a request.',
  items: 'Grouped by URL, in the order of the status changes.',
});
