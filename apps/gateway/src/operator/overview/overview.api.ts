import { badRequest, invalid, type DescribedOperation } from '@opendsr-service/edge';
import { OPERATOR_ROOT } from '../../versions/operator-paths';
import { workspaceParameter } from '../lists/list-parts';
import { answer, operatorErrors } from '../lists/operation-parts';

/** Of the days up to that of the example. */
const RECEIVED = [287, 301, 122, 98, 330, 341, 296, 318, 305, 131, 104, 352, 309, 141];
const ENDED = [290, 288, 140, 102, 311, 335, 301, 309, 312, 128, 110, 339, 298, 120];

const exampleOverview = {
  read_time: '2026-11-21T09:00:00.000Z',
  received: { day: 312, week: 2140 },
  ended: { day: 298, week: 2077 },
  days: RECEIVED.map((received, at) => ({
    day: `2026-11-${String(8 + at).padStart(2, '0')}`,
    received,
    ended: ENDED[at],
  })),
  callbacks_failing: 3,
  destinations: { failing: 1, paused: 0 },
  service: {
    parked: { blocking: 0, aside: 1 },
    consumer_lag: 0,
    oldest_outbox_seconds: 0,
    first_certificate: { version: 'v2', ends_time: '2027-11-21T09:00:00.000Z', days_left: 365 },
  },
  unavailable: [],
};

/** The route of the overview. */
export const operatorOverviewOperations: Readonly<Record<string, DescribedOperation>> = {
  [`GET ${OPERATOR_ROOT}/overview`]: {
    operationId: 'readOverview',
    'x-needs': 'read',
    tags: ['System'],
    summary: 'Read how the service does',
    description:
      'Throughput, also by day, failing callbacks, parked records, lag and certificates. Counts read an index; the rest ' +
      'is what processes know. It may be four seconds old: `read_time`. What concerns no workspace needs a role in all ' +
      'of them.',
    parameters: [workspaceParameter],
    responses: {
      200: answer('The overview.', 'OperatorOverview', {
        all: exampleOverview,
        workspace: { ...exampleOverview, service: null },
        away: { ...exampleOverview, destinations: null, unavailable: ['callback-dispatcher'] },
      }),
    },
    errors: [badRequest([invalid('workspace must be given once.')]), ...operatorErrors],
  },
};
