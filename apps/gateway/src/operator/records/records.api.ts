import { notFound, type DescribedOperation } from '@opendsr-service/edge';
import { OPERATOR_ROOT } from '../../versions/operator-paths';
import { pageParameters } from '../lists/list-parts';
import { answer, limitFault, operatorErrors, queryParameter, requestPath, TIME } from '../lists/operation-parts';
import { CLOCKS_DIFFER_MS, MOST_AT_ONCE, MOST_BYTES, MOST_MS } from './request-records';

const exampleRecord = {
  ...{ topic: 'dsr.request-events.v1', partition: 7, offset: '48211', time: '2026-11-21T09:00:00.112Z' },
  ...{ type: 'RequestReceived', message_id: 'b0b7f1a1-9d0c-5a0e-8d57-0f9b8f6f4a31' },
  fields: { version: 1, commandSeq: 1, at: '2026-11-21T09:00:00.000Z' },
  other_fields: 1,
  headers: { ce_specversion: '1.0', ce_workspaceid: 'acme' },
  ...{ other_headers: 0, bytes: 1042, hash: 'sha256:5d1f0c6f2b9e7a34' },
};

const exampleTopics = [
  {
    ...{ topic: 'dsr.commands.v1', partition: 7, state: 'read', stopped_by: null, bytes: 391022 },
    ...{ read_to_time: '2026-12-04T09:14:58.020Z', is_cut: true, left_from_time: '2026-11-27T09:12:00.500Z' },
    kept_ms: 604_800_000,
  },
  {
    ...{ topic: 'dsr.request-events.v1', partition: 7, state: 'stopped', stopped_by: 'bytes', bytes: 33161984 },
    ...{ read_to_time: '2026-11-30T02:10:41.733Z', is_cut: false, left_from_time: null },
    kept_ms: 34_560_000_000,
  },
];

/** The route of the records of a request on the event log. */
export const operatorRecordOperations: Readonly<Record<string, DescribedOperation>> = {
  [`GET ${OPERATOR_ROOT}/requests/{ws}/{srid}/records`]: {
    operationId: 'listOperatorRecords',
    'x-needs': 'read',
    tags: ['Requests'],
    summary: 'Search the records of a request on the event log',
    description:
      'Reads the partition of the request’s key on each topic of requests, from its receipt on. ' +
      `A page reads at most ${MOST_BYTES / 1024 / 1024} MiB in about ${MOST_MS / 1000} s, of whatever request, and says ` +
      'where it stopped and what the retention has removed. ' +
      `A process reads ${MOST_AT_ONCE} pages at the same time; beyond that the answer is 503.`,
    parameters: [
      ...requestPath,
      ...pageParameters,
      queryParameter(
        'from',
        TIME,
        `Records of this time and later. Default: ${CLOCKS_DIFFER_MS / 60_000} minutes before the receipt.`,
      ),
    ],
    responses: {
      200: answer('A page of the records.', 'OperatorRecords', {
        some: {
          records: [exampleRecord],
          topics: exampleTopics,
          from_time: '2026-11-21T08:50:00.000Z',
          next_cursor: 'WyJyZWNvcmRzIiwiZHNyLnJlcXVlc3QtZXZlbnRzLnYxIiwiNTExMjAiXQ',
        },
      }),
    },
    errors: [limitFault, notFound(), ...operatorErrors],
  },
};
