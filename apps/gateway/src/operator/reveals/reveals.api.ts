import { conflict, gone, type DescribedOperation } from '@opendsr-service/edge';
import { OPERATOR_ROOT } from '../../versions/operator-paths';
import { limitParameterOf } from '../lists/list-parts';
import {
  answer,
  bodyOf,
  changeErrors,
  limitFault,
  operatorErrors,
  pathParameter,
  queryParameter,
  requestPath,
  TEXT,
  UUID,
} from '../lists/operation-parts';
import { REVEAL_STATES } from './reveal.document';

const tags = ['Identities'] as const;

const exampleReveal = {
  id: '6d4f6a0c-54f0-4c1b-9b47-2f1f5f5f5b11',
  workspace: 'acme',
  subject_request_id: '475974fa-6b42-4370-bb56-b5d845686bb5',
  state: 'open',
  asked_by: '8f0c5b1e',
  asked_role: 'officer',
  asked_time: '2026-11-28T09:00:00.000Z',
  reason: 'The data subject complains that nothing has come.',
  approved_by: null,
  approved_time: null,
  ends_time: '2026-11-29T09:00:00.000Z',
};
const exampleApproved = {
  ...exampleReveal,
  ...{ state: 'approved', approved_by: '17c2a9d0', approved_time: '2026-11-28T09:20:00.000Z' },
  ends_time: '2026-11-28T10:20:00.000Z',
};

const requestBody = bodyOf('OperatorDecision', { reason: 'The data subject complains that nothing has come.' });
const errors = [gone('Its key no longer exists, so the reason cannot be kept.'), ...changeErrors] as const;
const reveal = (description: string, example: object) => answer(description, 'OperatorReveal', { some: example });

/** The routes that show whom a request is about. */
export const operatorRevealOperations: Readonly<Record<string, DescribedOperation>> = {
  [`POST ${OPERATOR_ROOT}/requests/{ws}/{srid}/identities`]: {
    operationId: 'revealIdentities',
    'x-needs': 'reveal',
    tags,
    summary: 'Show whom a request is about',
    description:
      'The audit trail and the transparency log have an entry of it before the answer. Where a second person must ' +
      'approve, the first call is answered with 202, and the next one with the identities, within an hour of the ' +
      'approval and once. It has a limit of its own.',
    parameters: requestPath,
    requestBody,
    responses: {
      200: answer('Whom it is about.', 'RevealedIdentities', {
        some: {
          workspace: 'acme',
          subject_request_id: '475974fa-6b42-4370-bb56-b5d845686bb5',
          identities: [{ identity_type: 'email', identity_value: 'johndoe@example.com' }],
          group_id: null,
          callback_hosts: ['example.com'],
          extension_reason: null,
          decisions: [],
        },
      }),
      202: reveal('Somebody else must approve it. A repeat returns the same wish.', exampleReveal),
    },
    errors: [conflict('The approval was used before.'), ...errors],
  },
  [`GET ${OPERATOR_ROOT}/reveals`]: {
    operationId: 'listReveals',
    'x-needs': 'reveal',
    tags,
    summary: 'List wishes that a second person must approve',
    description: 'Of the workspaces whose identities the caller may see. A wish counts for a day.',
    parameters: [
      queryParameter('state', { type: 'string', enum: REVEAL_STATES, default: 'open' }, 'In this state.'),
      limitParameterOf('Wishes'),
      queryParameter('cursor', TEXT, '`next_cursor` of the page before.'),
    ],
    responses: {
      200: answer('A page of wishes.', 'OperatorRevealList', {
        some: { reveals: [exampleReveal], next_cursor: null },
      }),
    },
    errors: [limitFault, ...operatorErrors],
  },
  [`POST ${OPERATOR_ROOT}/reveals/{id}/approval`]: {
    operationId: 'approveReveal',
    'x-needs': 'reveal',
    tags,
    summary: 'Approve that an operator sees whom a request is about',
    description: 'By somebody else than who asks. The audit trail records it first, with the reason.',
    parameters: [pathParameter('id', 'The id of the wish.', { schema: UUID, example: exampleReveal.id })],
    requestBody,
    responses: { 200: reveal('Approved, for an hour.', exampleApproved) },
    errors: [conflict('Somebody else must approve.'), ...errors],
  },
};
