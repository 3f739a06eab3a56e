import { count, item, object, objectOrNull, time } from '@opendsr-service/edge';
import { CERTIFICATE, PARKED_COUNTS } from '@opendsr-service/operator-answers';
import { unavailableServices } from '../lists/list-parts';
import { boundedCount, MOST_COUNTED } from '../requests/request-schemas';
import { DAYS } from './throughput';

const spans = (what: string) =>
  object(`How many were ${what}.`, { day: count('In the last 24 hours.'), week: count('In the last seven days.') });

export const OPERATOR_OVERVIEW = object('How the service does, beside the counts of requests that have not ended.', {
  read_time: time('When it was read: nothing that happened before is missing.'),
  received: spans('received'),
  ended: spans('completed or cancelled'),
  days: {
    type: 'array',
    minItems: DAYS,
    maxItems: DAYS,
    items: item({
      day: { type: 'string', format: 'date', description: 'The day, in UTC.' },
      received: count('How many were received.'),
      ended: count('How many were completed or cancelled.'),
    }),
    description: 'The same for each of the last days in UTC, the earliest first. The last of them is not over.',
  },
  callbacks_failing: boundedCount(`Requests with a failing callback; the count stops at ${MOST_COUNTED}.`),
  destinations: objectOrNull('Hosts that receive callbacks. Null while the callback-dispatcher does not answer.', {
    failing: boundedCount('Whose last attempt failed.'),
    paused: boundedCount('That were unreachable so often that only probes are sent.'),
  }),
  service: objectOrNull(
    'What concerns no workspace, of the services that answered. Null without a role in all workspaces.',
    {
      parked: objectOrNull(
        'How many records are parked. Null until all of these services have counted them.',
        PARKED_COUNTS,
      ),
      consumer_lag: count('How many records the consumer group that is furthest behind has not handled.'),
      oldest_outbox_seconds: {
        type: 'number',
        minimum: 0,
        description: 'The age of the oldest entry that waits to be published; 0 where none waits.',
      },
      first_certificate: objectOrNull(
        'The certificate that signs receipts and callbacks, and ends first. Null where none is known.',
        CERTIFICATE,
      ),
    },
  ),
  unavailable: unavailableServices,
});
