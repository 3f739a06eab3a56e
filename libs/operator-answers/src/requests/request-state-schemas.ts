import { REQUEST_STATUSES, type Shape } from '@opendsr-service/contracts';
import { count, flag, list, object, oneOf, time, timeOrNull, word } from '@opendsr-service/edge';
import type { ServiceName } from '../services';

const orNull = <const S extends { readonly type: 'object' }>(schema: S) =>
  ({ anyOf: [schema, { type: 'null' }] }) as const;

const status = oneOf(REQUEST_STATUSES, 'A status of the request.');
const claimed = flag('A process works on it.');
const due = timeOrNull('When a process works on it next, or when the claim ends.');
const tries = count('How often it failed since it last succeeded.');

const AGGREGATE = object('What the request service has decided.', {
  status: word('Its status in this service: `fulfilled` until `completed` is decided.'),
  event_version: count('The version of its last event.'),
  decisions: count('The number of the last command that it has handled.'),
  unpublished_events: list(
    'Events that are not on the event log yet.',
    object('An event.', { type: word('Its type.'), version: count('Its version.'), time: time('When it happened.') }),
  ),
  participants: list(
    'Who takes part.',
    object('A participant.', {
      name: word('Its name.'),
      status: word('What it reported last; `awaited`: nothing.'),
      time: timeOrNull('When.'),
    }),
  ),
});

const QUEUE = object('The callbacks to one URL.', {
  destination: word('Stands for the URL: a keyed hash.'),
  event_version: count('The version of the last event that it knows.'),
  next_attempt_time: timeOrNull('When something is sent next, or when the claim ends.'),
  is_claimed: flag('A process is sending.'),
  is_postponed: flag('Its host was unreachable: the first success of the host brings it forward.'),
  failed_attempts: count('How often the first callback in line failed.'),
  failing_since: timeOrNull('Since when.'),
  gone_time: timeOrNull('When the receiver answered 410.'),
  outcome: { type: ['string', 'null'], description: 'How it ended; null while callbacks may follow.' },
  waiting: list(
    'What waits, in the order of sending.',
    object('A callback.', {
      event_version: count('The version of its event.'),
      request_status: status,
      time: time('When the status changed.'),
      is_replay: flag('It is sent once more.'),
    }),
  ),
  ended: list(
    'What was delivered or given up.',
    object('A callback.', {
      event_version: count('The version of its event.'),
      request_status: status,
      reason: { type: ['string', 'null'], description: 'Why it was given up; null: it was delivered.' },
      time: time('When it ended.'),
    }),
  ),
  unpublished_events: count('Delivery events that are not on the event log yet.'),
});

const ARCHIVE = object('The archive of an access or portability request.', {
  state: word('How far it is.'),
  matched_profiles: { type: ['integer', 'null'], description: 'How many profiles matched; null while it is unknown.' },
  ...{ is_claimed: claimed, due_time: due, tries },
  chunks: count('Its encrypted parts.'),
  bytes: count('Its size.'),
  built_time: timeOrNull('When it was built.'),
  completed_time: timeOrNull('When the request was completed.'),
  expires_time: timeOrNull('When its link ends.'),
  sweep_time: timeOrNull('When it is removed.'),
});

const WITHDRAWAL = object('The withdrawal of archives with persons that this request erases.', {
  profiles: count('The profiles that ingestion erased.'),
  passes: count('How often all archives were searched.'),
  ...{ is_claimed: claimed, due_time: due, tries },
});

const ERASURE = object('The erasure of profiles.', {
  matched_profiles: { type: ['integer', 'null'], description: 'How many profiles matched; null while it is unknown.' },
  passes: count('How often it was done: again after the completion of the request.'),
  is_reported: flag('The request service has its report.'),
  is_completed: flag('The request is completed.'),
  ...{ is_claimed: claimed, due_time: due, tries },
});

/** What a service holds about one request, without personal data; of services that take no part in it: nothing. */
export const REQUEST_STATES = {
  request: AGGREGATE,
  'callback-dispatcher': object('What the callback-dispatcher sends.', {
    destinations: list('A queue for each callback URL.', QUEUE),
  }),
  results: object('What results builds and withdraws.', {
    archive: orNull(ARCHIVE),
    withdrawal: orNull(WITHDRAWAL),
  }),
  ingestion: object('What ingestion erases.', { erasure: ERASURE }),
} as const satisfies Partial<Record<ServiceName, object>>;

/** The services that answer about a request. The gateway shows its own documents as the request itself. */
export type StateService = keyof typeof REQUEST_STATES;
export const STATE_SERVICES = Object.keys(REQUEST_STATES) as readonly StateService[];

interface States {
  readonly request: Shape<typeof REQUEST_STATES.request>;
  readonly 'callback-dispatcher': Shape<(typeof REQUEST_STATES)['callback-dispatcher']>;
  readonly results: Shape<typeof REQUEST_STATES.results>;
  readonly ingestion: Shape<typeof REQUEST_STATES.ingestion>;
}

export type RequestState<S extends StateService = StateService> = States[S];
