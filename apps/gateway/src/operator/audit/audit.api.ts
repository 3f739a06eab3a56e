import { type DescribedOperation, nextCursor, object, objects, textOrNull, time, word } from '@opendsr-service/edge';
import { OPERATOR_ROOT } from '../../versions/operator-paths';
import { pageParameters } from '../lists/list-parts';
import { answer, limitFault, operatorErrors, queryParameter, TEXT, TIME } from '../lists/operation-parts';
import { MOST_AUDITED } from './audit-list';

export const OPERATOR_AUDIT = object('A page of the audit trail.', {
  entries: objects('The newest first. It may be shorter than asked for, and even empty, with a further page.', {
    id: word('The id of the entry.'),
    time: time('When it was asked for.'),
    action: word('What was asked for.'),
    by: textOrNull('The subject of the token, or the name that `dsr` was given. Null: a participant.'),
    role: textOrNull('The role of who asked by the API.'),
    workspace: textOrNull('The workspace that it concerns; null where none.'),
    subject_request_id: textOrNull('The request that it concerns; null where none.'),
    participant: textOrNull('The participant that asked, or that it concerns.'),
    delivery_id: textOrNull('The callback that it concerns.'),
    record: textOrNull('The parked record that it concerns.'),
    service: textOrNull('The service whose parked records it concerns.'),
    key: textOrNull('The API key that it concerns, never its secret.'),
    approved_by: textOrNull('The subject of who approved it.'),
    reason: textOrNull('Why; null where none was given, or once the key of the request is destroyed.'),
  }),
  next_cursor: nextCursor,
});

/** The route of the audit trail. */
export const operatorAuditOperations: Readonly<Record<string, DescribedOperation>> = {
  [`GET ${OPERATOR_ROOT}/audit`]: {
    operationId: 'listOperatorAudit',
    'x-needs': 'audit',
    tags: ['Identities'],
    summary: 'Read the audit trail',
    description:
      'Who asked for what, when and why: operators by the API and by `dsr`, and participants that read identities. ' +
      `Filters may refuse much: a page is returned short once it has read ${MOST_AUDITED} entries.`,
    parameters: [
      queryParameter('workspace', TEXT, 'Of this workspace alone.'),
      queryParameter('by', TEXT, 'By this operator or participant.'),
      queryParameter('action', TEXT, 'Of this action.'),
      queryParameter('from', TIME, 'Then or later.'),
      queryParameter('to', TIME, 'Then or before.'),
      ...pageParameters,
    ],
    responses: {
      200: answer('A page of the audit trail.', 'OperatorAudit', {
        some: {
          entries: [
            {
              ...{ id: '6d4f6a0c-54f0-4c1b-9b47-2f1f5f5f5b11', time: '2026-11-28T09:00:00.000Z' },
              ...{ action: 'identities-revealed', by: '8f0c5b1e', role: 'officer', workspace: 'acme' },
              subject_request_id: '475974fa-6b42-4370-bb56-b5d845686bb5',
              ...{ participant: null, delivery_id: null, record: null, service: null, key: null },
              approved_by: '17c2a9d0',
              reason: 'The data subject complains that nothing has come.',
            },
          ],
          next_cursor: null,
        },
      }),
    },
    errors: [limitFault, ...operatorErrors],
  },
};
