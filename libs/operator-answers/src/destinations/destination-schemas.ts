import { count, flag, list, nextCursor, object, oneOf, time, timeOrNull, word } from '@opendsr-service/edge';

/** The count of what waits for a host stops here. */
export const MOST_WAITING = 1_000;
/** The most requests that a host is shown with. */
export const MOST_SHOWN = 100;

/** The count of hosts in a state stops here. */
export const MOST_HOSTS = 10_000;

export const HOST_STATES = ['ok', 'failing', 'paused'] as const;
export type HostState = (typeof HOST_STATES)[number];

const HOST = {
  workspace: word('The workspace whose callbacks it receives.'),
  host: word('Stands for name and port: a keyed hash, because callback URLs are sealed.'),
  state: oneOf(
    HOST_STATES,
    'How the last attempt ended: `ok` it was delivered; `failing` it was not; `paused` the host was unreachable so ' +
      'often that only probes are sent.',
  ),
  last_attempt: object('The last attempt, by any process.', {
    time: time('When it began.'),
    outcome: oneOf(['delivered', 'rejected', 'gone', 'unreachable'], 'How it ended.'),
    http_status: { type: ['integer', 'null'], description: 'Null where no answer came over verified TLS.' },
  }),
  last_delivered_time: timeOrNull('When the last successful attempt began.'),
  failing_since: timeOrNull('When the first failure after it began.'),
  paused_until: timeOrNull('When the next probe may be sent.'),
  waiting: {
    ...count('How many destinations (callback URLs of requests) have something to send; counted no further than this.'),
    maximum: MOST_WAITING,
  },
  next_attempt_time: timeOrNull('When something is sent next.'),
} as const;

export const DESTINATION_HOST = object('A host that receives callbacks of a workspace.', HOST);

export const DESTINATION_PAGE = object('A page of hosts.', {
  destinations: list('By workspace, then by host.', DESTINATION_HOST),
  next_cursor: nextCursor,
});

export const DESTINATION_HOST_DETAIL = object('A host with what waits for it.', {
  ...HOST,
  requests: {
    type: 'array',
    maxItems: MOST_SHOWN,
    description: 'What waits, by the time of the next attempt.',
    items: object('The waiting callbacks of one request to one of its URLs.', {
      subject_request_id: word('The id of the request.'),
      destination: word('Stands for the URL, as in the callbacks of the request.'),
      callbacks: count('How many callbacks wait.'),
      undelivered_since: timeOrNull('When the status changed that was not delivered yet. Null: a replay alone.'),
      next_attempt_time: time('When it is tried next.'),
      failed_attempts: count('Failed attempts in a row.'),
      failing_since: timeOrNull('When the first of them began.'),
      postponed: flag('Whether nothing was sent at the last time, because the host was paused.'),
    }),
  },
});
