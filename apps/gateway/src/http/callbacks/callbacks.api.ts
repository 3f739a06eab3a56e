import type { ProtocolVersion } from '@opendsr-service/contracts';
import {
  badRequest,
  errorOfStatus,
  gone,
  invalid,
  invalidOperation,
  jsonContent,
  notFound,
  schemaRef,
  type ApiPart,
  type DescribedOperation,
} from '@opendsr-service/edge';
import { commonErrors, proofHeaders } from '../answers/answer-headers.api';
import { CALLBACK_URL, exampleId, idParameter } from '../requests/requests.api';
import { requestsPath } from '../../versions/routes';

const DELIVERY_ID = '2f9f7c9e-6a0b-5d5b-9d36-0f6f3a1f2b11';
const tags = ['Callbacks'] as const;

const deliveryParameter: ApiPart = {
  name: 'delivery',
  in: 'path',
  required: true,
  schema: { type: 'string', format: 'uuid' },
  description: 'The delivery id of a callback, as the list of the callbacks has it, in any case.',
};

const exampleDelivered: ApiPart = {
  delivery_id: DELIVERY_ID,
  status_callback_url: CALLBACK_URL,
  request_status: 'pending',
  status_time: '2026-11-21T09:00:00.000Z',
  state: 'delivered',
  reason: null,
  attempt_count: 2,
  next_attempt_time: null,
  attempts: [
    { attempt: 1, time: '2026-11-21T09:15:00.021Z', outcome: 'rejected', http_status: 503, duration_ms: 38 },
    { attempt: 2, time: '2026-11-21T09:30:00.017Z', outcome: 'delivered', http_status: 202, duration_ms: 41 },
  ],
};

const exampleWaiting: ApiPart = {
  ...exampleDelivered,
  delivery_id: '6c7d1f0a-55a1-5a0e-8b1c-94c1c6a3d0e7',
  request_status: 'in_progress',
  status_time: '2026-11-23T09:00:00.000Z',
  state: 'waiting',
  attempt_count: 1,
  next_attempt_time: '2026-11-23T09:30:00.000Z',
  attempts: [
    { attempt: 1, time: '2026-11-23T09:15:00.020Z', outcome: 'unreachable', http_status: null, duration_ms: null },
  ],
};

const exampleForgotten: ApiPart = {
  ...exampleDelivered,
  status_callback_url: null,
  state: 'given_up',
  reason: 'gone',
  attempt_count: 1,
  attempts: [{ attempt: 1, time: '2026-11-21T09:15:00.021Z', outcome: 'gone', http_status: 410, duration_ms: 38 }],
};

export function callbackOperations(version: ProtocolVersion): Readonly<Record<string, DescribedOperation>> {
  const path = `${requestsPath(version)}/{srid}/callbacks`;
  const headers = proofHeaders(version);
  return {
    [`GET ${path}`]: {
      operationId: 'listCallbacks',
      tags,
      summary: 'List the callbacks of a request with their attempts',
      description:
        'Not in the interface: an addition of this service. The list follows deliveries with a short ' +
        'delay. Each status of the request is a separate callback for each URL. Requests of other ' +
        'workspaces are unknown.',
      parameters: [idParameter(version)],
      responses: {
        200: {
          description: 'The callbacks with their attempts.',
          headers,
          content: jsonContent(schemaRef('CallbackList'), {
            some: { subject_request_id: exampleId(version), callbacks: [exampleDelivered, exampleWaiting] },
            forgotten: { subject_request_id: exampleId(version), callbacks: [exampleForgotten] },
            none: { subject_request_id: exampleId(version), callbacks: [] },
          }),
        },
      },
      errors: [notFound(), ...commonErrors],
    },
    [`POST ${path}/{delivery}/replay`]: {
      operationId: 'replayCallback',
      tags,
      summary: 'Send a callback again',
      description:
        'Not in the interface: an addition of this service. Sends the same bytes with the same ' +
        '`X-Delivery-Id`, after earlier callbacks to its URL, with the usual retries. Needs no body; one that comes ' +
        'must be JSON, and has no effect. Repeated calls count once until the list shows the callback as waiting.',
      parameters: [idParameter(version), deliveryParameter],
      responses: {
        202: {
          description: 'Accepted. The callback as it was before.',
          headers,
          content: jsonContent(schemaRef('CallbackEntry'), { delivered: exampleDelivered }),
        },
      },
      errors: [
        invalidOperation('The callback still waits to be sent.'),
        badRequest([invalid('The body is not valid JSON.')]),
        notFound(),
        gone('The key of this address is destroyed: nothing can be sent to it any more.'),
        errorOfStatus(413),
        errorOfStatus(415),
        ...commonErrors,
      ],
    },
  };
}
