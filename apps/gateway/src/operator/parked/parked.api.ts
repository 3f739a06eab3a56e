import {
  type ApiPart,
  conflict,
  count,
  describeBody,
  type DescribedOperation,
  notFound,
  object,
  textOrNull,
} from '@opendsr-service/edge';
import { KIND_FILTERS } from '@opendsr-service/messaging';
import {
  PARKED_DROP,
  PARKED_RECORD,
  PARKED_RECORD_DETAIL,
  PARKED_REDRIVE,
  SERVICE_NAMES,
} from '@opendsr-service/operator-answers';
import { OPERATOR_ROOT } from '../../versions/operator-paths';
import { ifMatchOf, tagErrors } from '../lists/if-match';
import { pageParameters, pageSchema, unavailableServices, workspaceParameter } from '../lists/list-parts';
import {
  answer,
  bodyOf,
  changeErrors,
  limitFault,
  operatorErrors,
  pathParameter,
  queryParameter,
  taggedAnswer,
  TEXT,
} from '../lists/operation-parts';
import { ManyRecords } from './many-records.dto';
import { MOST_DROPPED } from './operator-parked';

const tags = ['Parked records'] as const;
const KIND: ApiPart = { type: 'string', enum: KIND_FILTERS };
const SERVICE: ApiPart = { type: 'string', enum: SERVICE_NAMES };

const exampleRecord = {
  service: 'request',
  id: 'request~dsr.commands.v1~3~17',
  group: 'request',
  topic: 'dsr.commands.v1',
  partition: 3,
  offset: '17',
  key: 'acme:475974fa-6b42-4370-bb56-b5d845686bb5',
  workspace: 'acme',
  subject_request_id: '475974fa-6b42-4370-bb56-b5d845686bb5',
  type: 'StartRequest',
  reason: 'version-gap',
  since: '2026-11-28T09:15:00.000Z',
  kind: 'blocking',
  marked: false,
};
const exampleDetail = {
  ...exampleRecord,
  behind: 2,
  blocked_by: null,
  headers: { 'content-type': 'application/json', ce_specversion: '1.0' },
  other_headers: 0,
  bytes: 311,
  hash: 'sha256:9f86d081884c7d65',
};

export const parkedSchemas: Readonly<Record<string, ApiPart>> = {
  OperatorParkedRecord: PARKED_RECORD,
  OperatorParkedList: pageSchema(
    { name: 'parked', item: 'OperatorParkedRecord', description: 'A page of parked records, service by service.' },
    { unavailable: unavailableServices },
  ),
  OperatorParkedDetail: PARKED_RECORD_DETAIL,
  OperatorRedrive: PARKED_REDRIVE,
  OperatorDrop: PARKED_DROP,
  OperatorDropMany: object('What became of the records of one call.', {
    dropped: count('How many were given up.'),
    left: count('How many stay, because they wait behind one that stays, or are being handled.'),
    next_cursor: textOrNull('Where the next call goes on; null where nothing is left.'),
  }),
};

export const parkedBodies = {
  OperatorManyRecords: describeBody({
    type: ManyRecords,
    description: 'Which parked records of a service are changed, and why.',
    fields: {
      reason: { description: 'One line for people, kept in clear in the audit trail: name no person.' },
      workspace: { description: 'Those of this workspace. Without it, a role in all workspaces is needed.' },
      subject_request_id: { description: 'Those of this request of the workspace.' },
      parked_reason: { description: 'Those that were parked for this reason.' },
      kind: { description: 'Those that block others, wait, or stand aside; `not-aside`: the first two.' },
      key: { description: 'Those of this key, as records show it.' },
      cursor: { description: '`next_cursor` of the call before, with the same other fields.' },
    },
  }),
};

const servicePath = pathParameter('service', 'The service.', { schema: SERVICE });
const recordPath = [servicePath, pathParameter('id', '`id` of the record.')];
const changePath = [...recordPath, ifMatchOf('the record')];
const because = { reason: 'The participant is registered now.' };
const redriven = answer('What will be handled again.', 'OperatorRedrive', {
  one: { marked: 1, marked_already: 0, next_cursor: null },
});
const waits = conflict('It waits behind another record: handle that one first.');

/** The routes of parked records. */
export const operatorParkedOperations: Readonly<Record<string, DescribedOperation>> = {
  [`GET ${OPERATOR_ROOT}/parked`]: {
    operationId: 'listParked',
    'x-needs': 'read',
    tags,
    summary: 'List parked records',
    description: 'Records that a service could not handle, without their values. Keys of outsiders are hashes.',
    parameters: [
      queryParameter('service', SERVICE, 'Of this service alone.'),
      workspaceParameter,
      queryParameter('parked_reason', TEXT, 'Parked for this reason, such as `version-gap`.'),
      queryParameter('kind', KIND, 'That block others, wait, or stand aside; `not-aside`: the first two.'),
      queryParameter('key', TEXT, 'Of this key, as records show it.'),
      ...pageParameters,
    ],
    responses: {
      200: answer('A page of records.', 'OperatorParkedList', {
        some: { parked: [exampleRecord], next_cursor: null, unavailable: ['results'] },
      }),
    },
    errors: [limitFault, ...operatorErrors],
  },
  [`GET ${OPERATOR_ROOT}/parked/{service}/{id}`]: {
    operationId: 'readParked',
    'x-needs': 'read',
    tags,
    summary: 'Read one parked record',
    description: 'With our headers and what waits behind it. 503 while its service does not answer.',
    parameters: recordPath,
    responses: {
      200: taggedAnswer('The record.', 'OperatorParkedDetail', { some: exampleDetail }),
    },
    errors: [notFound(), ...operatorErrors],
  },
  [`POST ${OPERATOR_ROOT}/parked/{service}/redrive`]: {
    operationId: 'redriveMany',
    'x-needs': 'repair',
    tags,
    summary: 'Have parked records handled again',
    description:
      'As `dsr parked redrive`, without a filter all of the service, at most 1,000 records a call: `next_cursor` says where the next one goes on.',
    parameters: [servicePath],
    requestBody: bodyOf('OperatorManyRecords', because),
    responses: { 202: redriven },
    errors: changeErrors,
  },
  [`POST ${OPERATOR_ROOT}/parked/{service}/drop`]: {
    operationId: 'dropMany',
    'x-needs': 'repair',
    tags,
    summary: 'Give parked records up',
    description:
      `Each as if it were given up alone, with those before it in the log, but those of them that wait behind it go first, so that the service handles ` +
      `none of them meanwhile. Each has its own entry of the audit trail and its own leaf of the transparency ` +
      `log, at most ${MOST_DROPPED} a call: \`next_cursor\` says where the next one goes on. A failure after the first record ends the call there. It ` +
      'needs a workspace, a reason of parking or a key.',
    parameters: [servicePath],
    requestBody: bodyOf('OperatorManyRecords', {
      reason: 'The system that wrote them is gone.',
      parked_reason: 'version-gap',
    }),
    responses: {
      200: answer('They are given up.', 'OperatorDropMany', { some: { dropped: 40, left: 0, next_cursor: null } }),
    },
    errors: changeErrors,
  },
  [`POST ${OPERATOR_ROOT}/parked/{service}/{id}/redrive`]: {
    operationId: 'redriveOne',
    'x-needs': 'repair',
    tags,
    summary: 'Have one parked record handled again',
    description: 'The records behind it follow.',
    parameters: changePath,
    requestBody: bodyOf('OperatorDecision', because),
    responses: { 202: redriven },
    errors: [waits, ...tagErrors, ...changeErrors],
  },
  [`POST ${OPERATOR_ROOT}/parked/{service}/{id}/drop`]: {
    operationId: 'dropParked',
    'x-needs': 'repair',
    tags,
    summary: 'Give a parked record up',
    description: 'What it asked for never happens. The transparency log has a leaf of it before.',
    parameters: changePath,
    requestBody: bodyOf('OperatorDecision', because),
    responses: {
      200: answer('It is given up.', 'OperatorDrop', { some: { dropped: exampleRecord.id, behind: 2 } }),
    },
    errors: [waits, ...tagErrors, ...changeErrors],
  },
};
