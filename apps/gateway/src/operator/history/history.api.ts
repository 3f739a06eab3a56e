import { BUNDLE_MEDIA_TYPE } from '@opendsr-service/contracts';
import { badRequest, invalid, notFound, schemaRef, type DescribedOperation } from '@opendsr-service/edge';
import { OPERATOR_ROOT } from '../../versions/operator-paths';
import { pageParameters } from '../lists/list-parts';
import { answer, limitFault, operatorErrors, queryParameter, requestPath } from '../lists/operation-parts';
import { LARGEST_PAGE } from '../lists/query-reader';
import { MOST_OF_PARTICIPANTS } from './request-history';

const PATH = `${OPERATOR_ROOT}/requests/{ws}/{srid}`;

const exampleEvents = [
  { id: 'received', time: '2026-11-21T09:00:00.000Z', kind: 'received', facts: {} },
  {
    ...{ id: 'participant_reported crm', time: '2026-11-28T09:00:04.000Z', kind: 'participant_reported' },
    facts: { participant: 'crm', participant_status: 'sent' },
  },
  {
    ...{ id: 'callback_attempted 2f9f7c9e-6a0b-5d5b-9d36-0f6f3a1f2b11 1', kind: 'callback_attempted' },
    time: '2026-11-28T09:15:00.021Z',
    facts: {
      delivery_id: '2f9f7c9e-6a0b-5d5b-9d36-0f6f3a1f2b11',
      destination: 'ErYy6C0J2nS8XxVw3b7d0Q',
      request_status: 'in_progress',
      ...{ attempt: 1, outcome: 'rejected', http_status: 503, duration_ms: 38 },
    },
  },
];

const exampleStates = {
  services: {
    request: {
      ...{ status: 'in_progress', event_version: 3, decisions: 2, unpublished_events: [] },
      participants: [{ name: 'ingestion', status: 'awaited', time: null }],
    },
    'callback-dispatcher': { destinations: [] },
    results: null,
    ingestion: {
      erasure: {
        ...{ matched_profiles: 1, passes: 0, is_reported: false, is_completed: false },
        ...{ is_claimed: true, due_time: '2026-11-28T09:01:00.000Z', tries: 0 },
      },
    },
  },
  unavailable: [],
};

/** The routes of what happened to a request, and of what proves it. */
export const operatorHistoryOperations: Readonly<Record<string, DescribedOperation>> = {
  [`GET ${PATH}/events`]: {
    operationId: 'listOperatorEvents',
    'x-needs': 'read',
    tags: ['Requests'],
    summary: 'Read the story of a request',
    description:
      'What is known to have happened, in the order of time: the admission, decisions, reports of participants, ' +
      'callbacks with their last attempts, attestations, entries of the audit trail, of those of participants the newest ' +
      `${MOST_OF_PARTICIPANTS}, and the first ${LARGEST_PAGE} parked records of each service; \`GET /parked\` with the ` +
      'key of the request lists them all.',
    parameters: [...requestPath, ...pageParameters],
    responses: {
      200: answer('A page of the story.', 'OperatorHistory', {
        some: { events: exampleEvents, next_cursor: null, unavailable: [] },
      }),
    },
    errors: [limitFault, notFound(), ...operatorErrors],
  },
  [`GET ${PATH}/services`]: {
    operationId: 'readOperatorServices',
    'x-needs': 'read',
    tags: ['Requests'],
    summary: 'Read what each service holds about a request',
    description:
      'What `dsr requests show` reads: the participants and unpublished events of the request service, the queue of ' +
      'each callback URL, the archive of results, the erasure of ingestion. The gateway’s own part is the request itself.',
    parameters: requestPath,
    responses: {
      200: answer('By service.', 'OperatorRequestStates', { some: exampleStates }),
    },
    errors: [notFound(), ...operatorErrors],
  },
  [`GET ${PATH}/attestation`]: {
    operationId: 'readOperatorAttestation',
    'x-needs': 'read',
    tags: ['Evidence'],
    summary: 'Read the attestation of a request with the proof that it is in the public log',
    description: 'The same bundle as its controller gets, within seconds after the end (docs/evidence.md).',
    parameters: [
      ...requestPath,
      queryParameter('statement', { type: 'string', enum: ['1', '2'] }, 'Which statement. Default: the newest.'),
    ],
    responses: {
      200: {
        description: 'The bundle. A later one may hold a newer checkpoint.',
        content: { [BUNDLE_MEDIA_TYPE]: { schema: schemaRef('AttestationBundle') } },
      },
    },
    errors: [
      badRequest([invalid('statement must be 1 or 2.')]),
      notFound('The request has no attestation yet.'),
      ...operatorErrors,
    ],
  },
  [`GET ${PATH}/log-entries`]: {
    operationId: 'listOperatorLogEntries',
    'x-needs': 'read',
    tags: ['Evidence'],
    summary: 'List the entries of the transparency log that belong to a request',
    description: 'The log itself names no request: only the installation knows them.',
    parameters: [...requestPath, ...pageParameters],
    responses: {
      200: answer('A page of the entries.', 'OperatorLogEntries', {
        some: {
          entries: [
            {
              ...{ index: 4711, kind: 'receipt', time: '2026-11-21T09:00:00.000Z' },
              digest: 'kQ1bTj0Qm5v7F2Hc8dY3nXw6sRzLpE4aUoGiVtB9MxI',
              ...{ due_time: '2026-12-21T23:59:59.999Z', is_covered: true },
            },
          ],
          next_cursor: null,
        },
      }),
    },
    errors: [limitFault, notFound(), ...operatorErrors],
  },
};
