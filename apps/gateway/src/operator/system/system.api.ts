import { type ApiPart, type DescribedOperation, flag, item, object, schemaRef, word } from '@opendsr-service/edge';
import { OPERATOR_SERVICE } from '@opendsr-service/operator-answers';
import { OPERATOR_ROOT } from '../../versions/operator-paths';
import { answer, operatorErrors } from '../lists/operation-parts';
import { OPERATOR_TRANSPARENCY } from './transparency-schemas';

const away = {
  ...{ service: 'results', state: 'unavailable', version: null, uptime_seconds: null, checks: null },
  ...{ consumer_groups: [], outboxes: [], overdue_work: [], parked: null, certificates: [], settings: [] },
};
const example = {
  service: 'request',
  state: 'ok',
  version: '0.1.0',
  uptime_seconds: 86400,
  checks: { joined: true, consuming: true, publishing: true, storing: true },
  consumer_groups: [{ group: 'request', state: 'consuming', topics: [{ topic: 'dsr.commands.v1', lag: 0 }] }],
  outboxes: [{ outbox: 'request-events', oldest_age_seconds: 0 }],
  overdue_work: [],
  parked: { blocking: 0, aside: 1 },
  certificates: [],
  settings: [
    { name: 'LOG_LEVEL', value: 'info', hidden: false },
    { name: 'MONGODB_URI', value: null, hidden: true },
  ],
};

export const systemSchemas: Readonly<Record<string, ApiPart>> = {
  OperatorTransparency: OPERATOR_TRANSPARENCY,
  OperatorService: OPERATOR_SERVICE,
  OperatorSystem: object('The services and the topics between them.', {
    services: { type: 'array', items: schemaRef('OperatorService'), description: 'All services.' },
    topics: {
      type: ['array', 'null'],
      description: 'The topics of the event log. Null where it did not answer in time.',
      items: item({
        name: word('The topic.'),
        exists: flag('Whether it exists.'),
        differences: {
          type: 'array',
          items: { type: 'string' },
          description: 'How it differs from what the services need; none where it is right.',
        },
      }),
    },
  }),
};

/** The routes about the services themselves. */
export const operatorSystemOperations: Readonly<Record<string, DescribedOperation>> = {
  [`GET ${OPERATOR_ROOT}/system`]: {
    operationId: 'readSystem',
    'x-needs': 'read',
    tags: ['System'],
    summary: 'Read how the services are',
    description:
      'Each as one of its processes knows it, with lag, outboxes, certificates and settings without secrets. It needs ' +
      'a role in all workspaces.',
    responses: {
      200: answer('The services.', 'OperatorSystem', {
        some: {
          services: [example, away],
          topics: [{ name: 'dsr.commands.v1', exists: true, differences: [] }],
        },
      }),
    },
    errors: operatorErrors,
  },
  [`GET ${OPERATOR_ROOT}/transparency`]: {
    operationId: 'readTransparency',
    'x-needs': 'read',
    tags: ['Evidence'],
    summary: 'Read how the transparency log is',
    description: 'Its size, its newest checkpoint, and its witnesses. Leaves and tiles are public.',
    responses: {
      200: answer('The log.', 'OperatorTransparency', {
        some: {
          ...{
            size: 1203,
            checkpoint: 'dsr.example.com/log\n1203\n…',
            verifier_key: 'dsr.example.com/log+2f1f5f5f+…',
          },
          uncovered_since: null,
          witnesses: [
            { name: 'witness.example.org', has_cosigned: true, since: '2026-11-28T09:15:00.000Z', reason: null },
          ],
        },
      }),
    },
    errors: operatorErrors,
  },
};
