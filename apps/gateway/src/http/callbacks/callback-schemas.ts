import { DELIVERY_OUTCOMES, REQUEST_STATUSES } from '@opendsr-service/contracts';
import { count, item, object, oneOf, oneOfOrNull, time, timeOrNull } from '@opendsr-service/edge';
import { KEPT_ATTEMPTS } from '../../callbacks/fold-callback';

// Answers about callbacks: an addition to the interface.

const ATTEMPT = item({
  attempt: { type: 'integer', minimum: 1, description: 'Counted from 1, including replays.' },
  time: time('When the attempt began.'),
  outcome: oneOf(
    DELIVERY_OUTCOMES,
    '`delivered`: 2xx. `gone`: 410. `rejected`: any other answer, redirects included. `unreachable`: ' +
      'no answer, for whatever reason. `postponed`: nothing was sent, for a reason of the service.',
  ),
  http_status: { type: ['integer', 'null'], description: 'The status of the answer; null where there was none.' },
  duration_ms: {
    type: ['integer', 'null'],
    description: 'How long the answer took, in milliseconds; null where there was none.',
  },
});

export const CALLBACK_ENTRY = object('One callback: one status of a request, for one of its URLs.', {
  delivery_id: { type: 'string', format: 'uuid', description: '`X-Delivery-Id` of every attempt.' },
  status_callback_url: {
    type: ['string', 'null'],
    format: 'uri',
    description: 'The URL; null once the key of the request is destroyed.',
  },
  request_status: oneOf(REQUEST_STATUSES, 'The status that the callback reports.'),
  status_time: timeOrNull('When the request reached that status; null where that was not recorded.'),
  state: oneOf(['waiting', 'delivered', 'given_up'], '`waiting`: an attempt is due, or a replay was requested.'),
  reason: oneOfOrNull(
    ['gone', 'exhausted', 'key_destroyed'],
    'Why the service gave up: the URL answered 410, all attempts failed, or the key of the URL is ' +
      'destroyed. Null in every other state.',
  ),
  attempt_count: count('All attempts, including replays.'),
  next_attempt_time: timeOrNull(
    'The earliest time of the next attempt; null where none waits, or the time is not known yet. In the past while ' +
      'an attempt is not listed yet, about 20 seconds for one without an answer.',
  ),
  attempts: {
    type: 'array',
    maxItems: KEPT_ATTEMPTS,
    items: ATTEMPT,
    description: `The last ${KEPT_ATTEMPTS} attempts, the earliest first.`,
  },
});

export const CALLBACK_LIST = object('The callbacks of a request.', {
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
});
