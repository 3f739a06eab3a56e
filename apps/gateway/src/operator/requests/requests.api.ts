import { REGULATIONS, REQUEST_STATUSES, REQUEST_TYPES } from '@opendsr-service/contracts';
import { badRequest, invalid, notFound, type ApiPart, type DescribedOperation } from '@opendsr-service/edge';
import { OPERATOR_ROOT } from '../../versions/operator-paths';
import { pageParameters, pageParametersOf, workspaceParameter } from '../lists/list-parts';
import {
  answer,
  limitFault,
  operatorErrors,
  queryParameter as query,
  requestPath,
  taggedAnswer,
  TEXT,
  TIME,
  UUID,
} from '../lists/operation-parts';
import { LEGAL_STATES } from './legal-state';
import { LIST_ORDERS } from './list-query';
import { MOST_READ } from './read-page';

const tags = ['Requests'] as const;

const exampleSummary = {
  workspace: 'acme',
  subject_request_id: '475974fa-6b42-4370-bb56-b5d845686bb5',
  controller_id: '1402',
  subject_request_type: 'erasure',
  regulation: 'gdpr',
  request_status: 'in_progress',
  legal_state: 'at_risk',
  received_time: '2026-11-21T09:00:00.000Z',
  expected_completion_time: '2026-11-30T09:00:00.000Z',
  legal_due_time: '2026-12-21T23:59:59.999Z',
  extended: false,
  ended_time: null,
  callbacks_failing: false,
};

export const exampleStory = {
  ...exampleSummary,
  api_version: '2.0',
  times: {
    submitted: '2026-11-20T00:00:00.000Z',
    legal_since: '2026-11-20T00:00:00.000Z',
    first_legal_due: '2026-12-21T23:59:59.999Z',
    at_risk: '2026-12-13T12:00:00.000Z',
    extended: null,
    start: null,
    started: '2026-11-28T09:00:00.000Z',
    completed: null,
    cancelled: null,
    key_due: null,
    key_destroyed: null,
  },
  extended_by: null,
  group_size: 3,
  key: 'alive',
  decisions: 2,
  event_version: 3,
  waiting_commands: [],
  participants: [{ name: 'crm', status: 'pending' }],
  open_destinations: 1,
};

export const exampleCallback = {
  delivery_id: '2f9f7c9e-6a0b-5d5b-9d36-0f6f3a1f2b11',
  destination: 'ErYy6C0J2nS8XxVw3b7d0Q',
  request_status: 'in_progress',
  status_time: '2026-11-28T09:00:00.000Z',
  state: 'given_up',
  reason: 'exhausted',
  attempt_count: 1,
  next_attempt_time: null,
  attempts: [{ attempt: 1, time: '2026-11-28T09:15:00.021Z', outcome: 'rejected', http_status: 503, duration_ms: 38 }],
};

const listParameters: readonly ApiPart[] = [
  workspaceParameter,
  query('id', UUID, 'The requests of this id, one in each workspace at most.'),
  query('controller', TEXT, 'Of the workspaces of this controller id.'),
  query('group', TEXT, 'Of the group of this name. Needs `workspace`.'),
  query('status', { type: 'string', enum: REQUEST_STATUSES }, 'In this status.'),
  query('type', { type: 'string', enum: REQUEST_TYPES }, 'Of this type.'),
  query('regulation', { type: 'string', enum: REGULATIONS }, 'Whose time is counted by this law.'),
  query('received_from', TIME, 'Received then or later.'),
  query('received_to', TIME, 'Received then or before.'),
  query('received_within', TEXT, 'Received within this time, such as `24h`.'),
  query('older_than', TEXT, 'Received longer ago than this time, such as `30d`.'),
  query(
    'overdue',
    { type: 'string', enum: ['true', 'false'] },
    'Not ended, and their legal date is over. `false`: not ended, and it is not over.',
  ),
  query(
    'legal_state',
    { type: 'string', enum: LEGAL_STATES },
    'In this state: `kept` and `missed` of what has ended, the others of what has not. Instead of `overdue`.',
  ),
  query(
    'due_within',
    TEXT,
    'Not ended, and due within this time, such as `7d`; what is overdue too, unless `overdue` is `false`.',
  ),
  query('ended_within', TEXT, 'Completed or cancelled within this time, such as `7d`.'),
  query('callbacks', { type: 'string', enum: ['failing'] }, 'With a failing callback.'),
  query(
    'order',
    { type: 'string', enum: LIST_ORDERS },
    '`received`: the newest first. `due`: those that have not ended, the earliest legal date first; the default ' +
      'with `overdue`, `due_within` and these in `legal_state`. `ended`: those that have, the last one first; the default ' +
      'with `ended_within`, and with `kept` and `missed`.',
  ),
  ...pageParametersOf('Requests'),
];

/** The routes that show requests. */
export const operatorRequestOperations: Readonly<Record<string, DescribedOperation>> = {
  [`GET ${OPERATOR_ROOT}/requests`]: {
    operationId: 'listOperatorRequests',
    'x-needs': 'read',
    tags,
    summary: 'List and search requests',
    description:
      'Each order is read from an index. Filters beside it may refuse much of what the order gives: a page is ' +
      `returned short once it has read ${MOST_READ} requests.`,
    parameters: listParameters,
    responses: {
      200: answer('A page of requests.', 'OperatorRequestList', {
        some: { requests: [exampleSummary], next_cursor: 'WyJkdWUiLDE3OTg2NzUxOTk5OTksImFjbWU6MSJd' },
        none: { requests: [], next_cursor: null },
      }),
    },
    errors: [limitFault, ...operatorErrors],
  },
  [`GET ${OPERATOR_ROOT}/request-counts`]: {
    operationId: 'countOperatorRequests',
    'x-needs': 'read',
    tags,
    summary: 'Count requests that have not ended',
    description: 'Counts read an index. They may be four seconds old: `counted_time`.',
    parameters: [workspaceParameter],
    responses: {
      200: answer('The counts.', 'OperatorRequestCounts', {
        some: {
          counted_time: '2026-11-28T09:15:00.000Z',
          ...{ open: 1203, pending: 902, in_progress: 301, on_track: 1150 },
          ...{ at_risk: 51, overdue: 2, due_within_week: 87 },
          ...{ open_over_7_days: 640, open_over_30_days: 12, open_over_60_days: 0 },
        },
      }),
    },
    errors: [badRequest([invalid('workspace must be given once.')]), ...operatorErrors],
  },
  [`GET ${OPERATOR_ROOT}/requests/{ws}/{srid}`]: {
    operationId: 'readOperatorRequest',
    'x-needs': 'read',
    tags,
    summary: 'Read one request',
    description: 'The facts that the gateway has of a request. Whom it is about is never shown here.',
    parameters: requestPath,
    responses: {
      200: taggedAnswer('The request.', 'OperatorRequestStory', { erasure: exampleStory }),
    },
    errors: [notFound(), ...operatorErrors],
  },
  [`GET ${OPERATOR_ROOT}/requests/{ws}/{srid}/callbacks`]: {
    operationId: 'listOperatorCallbacks',
    'x-needs': 'read',
    tags: ['Callbacks'],
    summary: 'List the callbacks of a request with their attempts',
    description:
      'As its controller sees them, with a hash in place of each URL. The tag of every page is that of the whole list.',
    parameters: [...requestPath, ...pageParameters],
    responses: {
      200: taggedAnswer('A page of the callbacks.', 'OperatorCallbackList', {
        some: { callbacks: [exampleCallback], next_cursor: null },
      }),
    },
    errors: [limitFault, notFound(), ...operatorErrors],
  },
};
