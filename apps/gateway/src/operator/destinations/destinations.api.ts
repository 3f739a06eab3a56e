import { badRequest, invalid, notFound, type ApiPart, type DescribedOperation } from '@opendsr-service/edge';
import { DESTINATION_HOST, DESTINATION_HOST_DETAIL, HOST_STATES } from '@opendsr-service/operator-answers';
import { OPERATOR_ROOT } from '../../versions/operator-paths';
import { pageParameters, pageSchema, unavailableServices, workspaceParameter } from '../lists/list-parts';
import { answer, operatorErrors, pathParameter, queryParameter, workspacePath } from '../lists/operation-parts';

const tags = ['Destinations'] as const;

const exampleHost = {
  workspace: 'acme',
  host: 'pH0s1cX5Zb1mZ0yq3nT8mB0oJ3dQk2w7cQd8aLr5e6Y',
  state: 'paused',
  last_attempt: { time: '2026-11-28T09:15:00.000Z', outcome: 'unreachable', http_status: null },
  last_delivered_time: '2026-11-27T21:00:00.000Z',
  failing_since: '2026-11-28T08:15:00.000Z',
  paused_until: '2026-11-28T09:30:00.000Z',
  waiting: 12,
  next_attempt_time: '2026-11-28T09:30:00.000Z',
};
const exampleDetail = {
  ...exampleHost,
  requests: [
    {
      subject_request_id: '475974fa-6b42-4370-bb56-b5d845686bb5',
      destination: 'Zy3qk2w7cQd8aLr5e6YpH0s1cX5Zb1mZ0yq3nT8mB0o',
      callbacks: 1,
      undelivered_since: '2026-11-28T08:10:00.000Z',
      next_attempt_time: '2026-11-28T09:30:00.000Z',
      failed_attempts: 4,
      failing_since: '2026-11-28T08:15:00.000Z',
      postponed: true,
    },
  ],
};

export const destinationSchemas: Readonly<Record<string, ApiPart>> = {
  OperatorDestination: DESTINATION_HOST,
  OperatorDestinationList: pageSchema(
    { name: 'destinations', item: 'OperatorDestination', description: 'A page of hosts, by workspace.' },
    { unavailable: unavailableServices },
  ),
  OperatorDestinationDetail: DESTINATION_HOST_DETAIL,
};

/** The routes that show the hosts that receive callbacks. */
export const operatorDestinationOperations: Readonly<Record<string, DescribedOperation>> = {
  [`GET ${OPERATOR_ROOT}/destinations`]: {
    operationId: 'listDestinations',
    'x-needs': 'read',
    tags,
    summary: 'List the hosts that receive callbacks',
    description: 'Each host of each workspace with its last attempt, its breaker, and what waits for it.',
    parameters: [
      workspaceParameter,
      queryParameter('state', { type: 'string', enum: HOST_STATES }, 'In this state.'),
      ...pageParameters,
    ],
    responses: {
      200: answer('A page of hosts.', 'OperatorDestinationList', {
        some: { destinations: [exampleHost], next_cursor: null, unavailable: [] },
        away: { destinations: [], next_cursor: null, unavailable: ['callback-dispatcher'] },
      }),
    },
    errors: [badRequest([invalid('state must be ok or failing or paused.')]), ...operatorErrors],
  },
  [`GET ${OPERATOR_ROOT}/destinations/{ws}/{host}`]: {
    operationId: 'readDestination',
    'x-needs': 'read',
    tags,
    summary: 'Read one host that receives callbacks',
    description: 'With the requests that wait for it. 503 while the callback-dispatcher does not answer.',
    parameters: [workspacePath, pathParameter('host', '`host` of the list.')],
    responses: {
      200: answer('The host.', 'OperatorDestinationDetail', { some: exampleDetail }),
    },
    errors: [notFound(), ...operatorErrors],
  },
};
