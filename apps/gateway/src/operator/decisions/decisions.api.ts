import { conflict, describeBody, gone, invalidOperation, type DescribedOperation } from '@opendsr-service/edge';
import { OPERATOR_ROOT } from '../../versions/operator-paths';
import { ifMatchOf, tagErrors } from '../lists/if-match';
import { answer, bodyOf, changeErrors, pathParameter, requestPath, taggedAnswer, UUID } from '../lists/operation-parts';
import { exampleCallback, exampleStory } from '../requests/requests.api';
import { OperatorDecision } from './decision.dto';

const PATH = `${OPERATOR_ROOT}/requests/{ws}/{srid}`;

export const decisionBodies = {
  OperatorDecision: describeBody({
    type: OperatorDecision,
    description: 'Why an operator decides.',
    fields: {
      reason: {
        description:
          'One line for people. It is sealed under the key of the request, as everything personal is, and unreadable ' +
          'once that key is destroyed.',
      },
    },
  }),
};

const ifMatch = ifMatchOf('the request');
const requestBody = bodyOf('OperatorDecision', { reason: 'The controller asked for it by telephone.' });
const request = (description: string) => taggedAnswer(description, 'OperatorRequestStory', { erasure: exampleStory });
const errors = [
  gone('Its key no longer exists, so the reason cannot be kept.'),
  ...tagErrors,
  ...changeErrors,
] as const;

/** The routes by which operators decide. */
export const operatorDecisionOperations: Readonly<Record<string, DescribedOperation>> = {
  [`POST ${PATH}/extension`]: {
    operationId: 'extendLegalDate',
    'x-needs': 'decide',
    tags: ['Requests'],
    summary: 'Extend the legal date of a request',
    description:
      'Once, and before it is over. The event log names the role of the caller, the audit trail the caller. The ' +
      'controller must inform the data subject.',
    parameters: [...requestPath, ifMatch],
    requestBody,
    responses: { 200: request('Extended. The request as it is now.') },
    errors: [conflict('Its legal date was extended before: the law allows it once.'), ...errors],
  },
  [`POST ${PATH}/cancellation`]: {
    operationId: 'cancelOnBehalf',
    'x-needs': 'decide',
    tags: ['Requests'],
    summary: 'Cancel a request on behalf of its controller',
    description: 'While it is pending, as its controller can. Callbacks are sent.',
    parameters: [...requestPath, ifMatch],
    requestBody,
    responses: { 200: request('Cancelled. The request as it is now.') },
    errors: [conflict('Only a pending request can be cancelled.'), ...errors],
  },
  [`POST ${PATH}/participants/{name}/waiver`]: {
    operationId: 'waiveParticipant',
    'x-needs': 'decide',
    tags: ['Requests'],
    summary: 'Waive an outside participant',
    description:
      'Ends the wait for a participant that will not report. Controllers see it as skipped, within seconds. It ' +
      'changes nothing where the request no longer waits for it.',
    parameters: [
      ...requestPath,
      pathParameter('name', 'The participant, as the request names it.', { example: 'crm' }),
      ifMatch,
    ],
    requestBody,
    responses: { 202: request('Accepted. The request as it is now.') },
    errors,
  },
  [`POST ${PATH}/callbacks/{delivery}/replay`]: {
    operationId: 'replayOperatorCallback',
    'x-needs': 'repair',
    tags: ['Callbacks'],
    summary: 'Send a callback again',
    description: 'The same bytes with the same `X-Delivery-Id`, with the usual retries.',
    parameters: [
      ...requestPath,
      pathParameter('delivery', 'The delivery id of the callback.', { schema: UUID }),
      ifMatchOf('the list of the callbacks'),
    ],
    requestBody,
    responses: {
      202: answer('Accepted. The callback as it was before.', 'OperatorCallback', { some: exampleCallback }),
    },
    errors: [invalidOperation('The callback still waits to be sent.'), ...errors],
  },
};
