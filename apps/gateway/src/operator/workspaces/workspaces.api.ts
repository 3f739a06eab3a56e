import {
  type ApiPart,
  conflict,
  describeBody,
  type DescribedOperation,
  notFound,
  object,
  schemaRef,
} from '@opendsr-service/edge';
import { OPERATOR_ROOT } from '../../versions/operator-paths';
import { ifMatchOf, taggedHeaders, tagErrors } from '../lists/if-match';
import { pageParameters, pageSchema } from '../lists/list-parts';
import {
  answer,
  bodyOf,
  changeErrors,
  limitFault,
  operatorErrors,
  pathParameter,
  workspacePath,
} from '../lists/operation-parts';
import { CreateKey, RotateKey } from './key.dto';
import { ended, rotated } from './operator-keys';
import { API_KEY, MADE_API_KEY, PARTICIPANT, WORKSPACE, WORKSPACE_DETAIL } from './workspace-schemas';

const KEYS = `${OPERATOR_ROOT}/workspaces/{ws}/api-keys`;

const exampleWorkspace = {
  workspace: 'acme',
  name: 'Acme, Europe',
  controller_id: '1402',
  class: 'gold',
  created_time: '2026-11-01T09:00:00.000Z',
};
const exampleDetail = {
  ...exampleWorkspace,
  after_erasure: 'accept',
  device_matching: 'anonymous',
  legal: {
    time_zone: 'Europe/Berlin',
    holidays: ['2026-12-25'],
    gdpr_days: null,
    ccpa_days: 30,
    clock_start: 'submitted',
  },
  limits: [
    { name: 'RATE_LIMIT_CALLS_PER_MINUTE', limit: 1000 },
    { name: 'RATE_LIMIT_CREATES_PER_DAY', limit: null },
  ],
};
const exampleKey = {
  key: 'dsrk_2f1f5f5f5b11',
  scopes: ['dsr'],
  state: 'active',
  created_time: '2026-11-01T09:00:00.000Z',
  expires_time: null,
  revoked_time: null,
};
const exampleMade = {
  key: 'dsrk_6d4f6a0c54f0',
  secret: 'dsrs_…',
  scopes: ['dsr'],
  created_time: '2026-11-28T09:00:00.000Z',
  expires_time: null,
  replaces: null,
  replaced_expires_time: null,
};
const exampleRotated = {
  ...exampleMade,
  ...{ replaces: exampleKey.key, replaced_expires_time: '2026-11-29T09:00:00.000Z' },
};
const exampleParticipant = {
  workspace: 'acme',
  name: 'billing',
  domain: 'billing.example.com',
  types: ['erasure'],
  identity_types: ['email'],
  created_time: '2026-11-01T09:00:00.000Z',
};

export const workspaceSchemas: Readonly<Record<string, ApiPart>> = {
  OperatorWorkspace: WORKSPACE,
  OperatorWorkspaceList: pageSchema({
    ...{ name: 'workspaces', item: 'OperatorWorkspace', description: 'A page of workspaces, by id.' },
  }),
  OperatorWorkspaceDetail: WORKSPACE_DETAIL,
  OperatorApiKey: API_KEY,
  OperatorApiKeyList: object('The keys in force, the oldest first, then the last hundred that have ended.', {
    api_keys: { type: 'array', items: schemaRef('OperatorApiKey'), description: 'The keys.' },
  }),
  OperatorMadeApiKey: MADE_API_KEY,
  OperatorParticipant: PARTICIPANT,
  OperatorParticipantList: pageSchema({
    ...{
      name: 'participants',
      item: 'OperatorParticipant',
      description: 'Outside participants, by workspace and name.',
    },
  }),
};

const reason = { description: 'One line for people, kept in clear in the audit trail: name no person.' };
const lifetime = {
  description: 'After which time the key ends, such as `90d`; at least `30s`. Without it the key does not expire.',
};

export const workspaceBodies = {
  OperatorCreateKey: describeBody({
    type: CreateKey,
    description: 'What a key is made for.',
    fields: { reason, scopes: { description: 'What it gives access to.' }, expires_in: lifetime },
  }),
  OperatorRotateKey: describeBody({
    type: RotateKey,
    description: 'How a key is replaced.',
    fields: {
      reason,
      overlap: { description: 'How long the old key stays in force, at least `30s`; by default `24h`.' },
      expires_in: lifetime,
    },
  }),
};

const keyPath = [workspacePath, pathParameter('key', 'The key, never its secret.'), ifMatchOf('the list of the keys')];
const because = { reason: 'The key of a new system.' };
const full = conflict('The workspace has as many keys as it may: revoke one.');

/** The routes of workspaces, their API keys and their participants. */
export const operatorWorkspaceOperations: Readonly<Record<string, DescribedOperation>> = {
  [`GET ${OPERATOR_ROOT}/workspaces`]: {
    operationId: 'listWorkspaces',
    'x-needs': 'read',
    tags: ['Workspaces'],
    summary: 'List workspaces',
    description: 'Those that the roles of the caller reach.',
    parameters: pageParameters,
    responses: {
      200: answer('A page.', 'OperatorWorkspaceList', { some: { workspaces: [exampleWorkspace], next_cursor: null } }),
    },
    errors: [limitFault, ...operatorErrors],
  },
  [`GET ${OPERATOR_ROOT}/workspaces/{ws}`]: {
    operationId: 'readWorkspace',
    'x-needs': 'read',
    tags: ['Workspaces'],
    summary: 'Read one workspace',
    description: 'With its calendar and its limits.',
    parameters: [workspacePath],
    responses: { 200: answer('The workspace.', 'OperatorWorkspaceDetail', { some: exampleDetail }) },
    errors: [notFound(), ...operatorErrors],
  },
  [`GET ${KEYS}`]: {
    operationId: 'listApiKeys',
    'x-needs': 'read',
    tags: ['API keys'],
    summary: 'List the API keys of a workspace',
    description: 'Without their secrets.',
    parameters: [workspacePath],
    responses: {
      200: {
        ...answer('The keys.', 'OperatorApiKeyList', { some: { api_keys: [exampleKey] } }),
        headers: taggedHeaders,
      },
    },
    errors: [notFound(), ...operatorErrors],
  },
  [`POST ${KEYS}`]: {
    operationId: 'createApiKey',
    'x-needs': 'administer',
    tags: ['API keys'],
    summary: 'Make an API key',
    description: 'It is in force at once. Its secret is shown here and never again.',
    parameters: [workspacePath],
    requestBody: bodyOf('OperatorCreateKey', { ...because, scopes: ['dsr'], expires_in: '90d' }),
    responses: { 201: answer('The key.', 'OperatorMadeApiKey', { some: exampleMade }) },
    errors: [full, ...changeErrors],
  },
  [`POST ${KEYS}/{key}/rotation`]: {
    operationId: 'rotateApiKey',
    'x-needs': 'administer',
    tags: ['API keys'],
    summary: 'Replace an API key without an interruption',
    description: 'A new key with the same scopes. The old one ends after the overlap.',
    parameters: keyPath,
    requestBody: bodyOf('OperatorRotateKey', { ...because, overlap: '24h' }),
    responses: { 201: answer('The new key.', 'OperatorMadeApiKey', { some: exampleRotated }) },
    errors: [ended(), rotated(), ...tagErrors, ...changeErrors],
  },
  [`POST ${KEYS}/{key}/revocation`]: {
    operationId: 'revokeApiKey',
    'x-needs': 'administer',
    tags: ['API keys'],
    summary: 'End an API key for good',
    description: 'Every process refuses it within 30 seconds.',
    parameters: keyPath,
    requestBody: bodyOf('OperatorDecision', because),
    responses: { 204: { description: 'It has ended.' } },
    errors: [...tagErrors, ...changeErrors],
  },
  [`GET ${OPERATOR_ROOT}/workspaces/{ws}/participants`]: {
    operationId: 'listParticipantsOfWorkspace',
    'x-needs': 'read',
    tags: ['Participants'],
    summary: 'List the outside participants of a workspace',
    description: 'By name, all at once.',
    parameters: [workspacePath],
    responses: {
      200: answer('Them.', 'OperatorParticipantList', {
        some: { participants: [exampleParticipant], next_cursor: null },
      }),
    },
    errors: [notFound(), ...operatorErrors],
  },
  [`GET ${OPERATOR_ROOT}/participants`]: {
    operationId: 'listParticipants',
    'x-needs': 'read',
    tags: ['Participants'],
    summary: 'List all outside participants',
    description: 'It needs a role in all workspaces.',
    parameters: pageParameters,
    responses: {
      200: answer('A page.', 'OperatorParticipantList', {
        some: { participants: [exampleParticipant], next_cursor: null },
      }),
    },
    errors: [limitFault, ...operatorErrors],
  },
};
