import type { ProtocolVersion } from '@opendsr-service/contracts';
import {
  alreadyExists,
  badRequest,
  conflict,
  errorOfStatus,
  invalid,
  invalidOperation,
  jsonContent,
  notFound,
  schemaRef,
  type ApiPart,
  type DescribedOperation,
} from '@opendsr-service/edge';
import { exampleDomain } from '../../intake/create-request.api';
import { requestsPath } from '../../versions/routes';
import { commonErrors, entityTagHeader, ifNoneMatch, notChanged, proofHeaders } from '../answers/answer-headers.api';

/** Examples differ by version, so that all can be sent to one service. */
interface Example {
  readonly id: string;
  readonly otherId: string;
  readonly email: string;
  readonly extension: ApiPart;
}

const EXAMPLE_V2: Example = {
  id: '475974fa-6b42-4370-bb56-b5d845686bb5',
  otherId: 'a7551968-d5d6-44b2-9831-815ac9017798',
  email: 'ann@example.com',
  extension: {
    mpids: ['-4822148317425189346', 7],
    identities: [{ identity_type: 'mobile_number', identity_value: '+31 20 555 0100' }],
  },
};
const EXAMPLE_V1: Example = {
  id: '1f8b7a52-90cd-4a3e-9d0e-6f2b8c4e7a11',
  otherId: 'c2d0b6e4-3c8a-4f57-8b19-d41e5a7f9023',
  email: 'bob@example.com',
  extension: {
    mpids: ['-4822148317425189347', 8],
    identities: [{ identity_type: 'mobile_number', identity_value: '+31 20 555 0101' }],
  },
};
const exampleOf = ({ hasRegulation }: ProtocolVersion): Example => (hasRegulation ? EXAMPLE_V2 : EXAMPLE_V1);

export const exampleId = (version: ProtocolVersion): string => exampleOf(version).id;

const CONTROLLER_ID = '1402';
const EXPECTED = '2026-11-23T09:15:00.000Z';
const RECEIVED = '2026-11-21T09:00:00.000Z';
export const CALLBACK_URL = 'https://controller.example.com/callbacks';
const tags = ['Requests'] as const;

export const idParameter = (version: ProtocolVersion): ApiPart => ({
  name: 'srid',
  in: 'path',
  required: true,
  schema: { type: 'string', format: 'uuid' },
  description: 'The subject request id, in any case.',
  example: exampleId(version),
});

const links: ApiPart = {
  readRequest: {
    operationId: 'readRequest',
    parameters: { srid: '$response.body#/subject_request_id' },
    description: 'Reads the status of the request.',
  },
  cancelRequest: {
    operationId: 'cancelRequest',
    parameters: { srid: '$response.body#/subject_request_id' },
    description: 'Cancels the request while it is pending.',
  },
};

const exampleCreate = (version: ProtocolVersion): ApiPart => ({
  ...(version.hasRegulation && { regulation: 'gdpr' }),
  subject_request_id: exampleId(version),
  subject_request_type: 'access',
  submitted_time: '2026-11-20T08:00:00Z',
  subject_identities: [{ identity_type: 'email', identity_value: exampleOf(version).email, identity_format: 'raw' }],
  api_version: version.apiVersion,
  status_callback_urls: [CALLBACK_URL],
  group_id: 'a-group',
});

const exampleCreateByExtension = (version: ProtocolVersion): ApiPart => ({
  ...(version.hasRegulation && { regulation: 'ccpa' }),
  subject_request_id: exampleOf(version).otherId,
  subject_request_type: 'erasure',
  submitted_time: '2026-11-20',
  extensions: { [exampleDomain(version)]: exampleOf(version).extension },
});

const exampleStatus = (version: ProtocolVersion): ApiPart => ({
  controller_id: CONTROLLER_ID,
  expected_completion_time: EXPECTED,
  subject_request_id: exampleId(version),
  request_status: 'completed',
  api_version: version.apiVersion,
  results_url: `https://dsr.example.com/${version.root}/results/c2FuZGJveDo0NzU5NzRmYQ`,
  extensions: [{ domain: 'crm.example.com', name: 'crm', status: 'sent', status_message: null }],
});

const exampleRecord = (version: ProtocolVersion): ApiPart => ({ ...exampleStatus(version), group_id: 'a-group' });

/** See protocol, "Status callbacks", "Callback authenticity". */
const statusCallback = (version: ProtocolVersion): ApiPart => {
  const parameters = [
    ...Object.entries(proofHeaders(version)).map(([name, header]) => ({ name, in: 'header', ...(header as object) })),
    {
      name: 'X-Delivery-Id',
      in: 'header',
      required: true,
      schema: { type: 'string', format: 'uuid' },
      description: 'The id of the callback, the same in all its attempts.',
    },
  ];
  return {
    '{$request.body#/status_callback_urls/0}': {
      post: {
        operationId: 'receiveStatus',
        tags,
        summary: 'The service reports a change of status',
        description:
          'The service sends each change of status to each URL separately, on the 15-minute tick and in the ' +
          'order of the changes. It does not follow redirects. It repeats failed attempts for 7 days, at ' +
          'growing intervals. A `Retry-After` that is longer than the next interval takes effect, up to the ' +
          'longest interval and the tick after it; a shorter one has no effect.',
        security: [],
        parameters,
        requestBody: {
          required: true,
          content: jsonContent(schemaRef('Callback'), {
            completed: { ...exampleStatus(version), status_callback_url: CALLBACK_URL },
          }),
        },
        responses: {
          202: { description: 'The receiver took the callback. Every other 2xx means the same.' },
          401: {
            description: 'The signature is wrong, or the receiver does not accept the domain. The service tries again.',
          },
          410: { description: 'The service sends nothing more to this URL.' },
        },
      },
    },
  };
};

const created = (version: ProtocolVersion): ApiPart => ({
  description: 'The service accepted the request, which is now pending.',
  headers: proofHeaders(version),
  content: jsonContent(schemaRef('CreationReceipt'), {
    receipt: {
      expected_completion_time: EXPECTED,
      received_time: RECEIVED,
      encoded_request: 'eyJzdWJqZWN0X3JlcXVlc3RfaWQiOiI0NzU5NzRmYSJ9',
      subject_request_id: exampleId(version),
      controller_id: CONTROLLER_ID,
    },
  }),
  links,
});

const cancelled = (version: ProtocolVersion): ApiPart => ({
  description: 'The request is cancelled and never starts.',
  headers: proofHeaders(version),
  content: jsonContent(schemaRef('CancellationReceipt'), {
    receipt: {
      expected_completion_time: null,
      received_time: RECEIVED,
      subject_request_id: exampleId(version),
      controller_id: CONTROLLER_ID,
    },
  }),
});

/** See protocol, "Endpoints". */
export function requestOperations(version: ProtocolVersion): Readonly<Record<string, DescribedOperation>> {
  const path = requestsPath(version);
  const headers = proofHeaders(version);
  return {
    [`POST ${path}`]: {
      operationId: 'createRequest',
      tags,
      summary: 'Create a request',
      description:
        'Protocol, "Endpoints". A body has at most 256 KiB. The answer lists all faults of a body, with ' +
        'their paths and without values. If several reasons apply, it reports the first of 401, 429, 415, ' +
        '413 (body), 400 (body), 413 (fields with more bytes than a record takes), 400 (exists), 409, 400 (group full).',
      requestBody: {
        required: true,
        content: jsonContent(schemaRef('CreateRequest'), {
          byIdentity: exampleCreate(version),
          byExtension: exampleCreateByExtension(version),
        }),
      },
      responses: { 201: created(version) },
      errors: [
        badRequest([
          invalid('subject_request_id must be a UUID of version 4'),
          invalid('subject_identities[0].identity_type must be a known identity type'),
        ]),
        alreadyExists(),
        conflict(),
        errorOfStatus(413),
        errorOfStatus(415),
        ...commonErrors,
      ],
      callbacks: { statusChange: statusCallback(version) },
    },
    [`GET ${path}/{srid}`]: {
      operationId: 'readRequest',
      tags,
      summary: 'Read the status of a request',
      description:
        'Protocol, "Request status record". Both versions show the same requests. Requests of other workspaces are not found.',
      parameters: [idParameter(version), ifNoneMatch],
      responses: {
        200: {
          description: 'The status record of the request.',
          headers: { ...headers, ...entityTagHeader },
          content: jsonContent(schemaRef('StatusRecord'), { completed: exampleRecord(version) }),
        },
        304: notChanged,
      },
      errors: [notFound(), ...commonErrors],
    },
    [`GET ${path}`]: {
      operationId: 'listGroup',
      tags,
      summary: 'List the requests of a group',
      description: 'Protocol, "Endpoints". Requests come in the order of their receipt. An unknown group is empty.',
      parameters: [
        {
          name: 'group_id',
          in: 'query',
          required: true,
          schema: { type: 'string', minLength: 1, maxLength: 256 },
          description: 'The id of the group.',
          example: 'a-group',
        },
      ],
      responses: {
        200: {
          description: 'The status records of the group.',
          headers,
          content: jsonContent(
            { type: 'array', maxItems: 150, items: schemaRef('StatusRecord') },
            { one: [exampleRecord(version)], none: [] },
          ),
        },
      },
      errors: [badRequest([invalid('group_id must be given once, with 1 to 256 characters')]), ...commonErrors],
    },
    [`DELETE ${path}/{srid}`]: {
      operationId: 'cancelRequest',
      tags,
      summary: 'Cancel a pending request',
      description:
        'Protocol, "States and transitions". One write decides between the cancel and the start of the ' +
        'request: after a 202 the request never starts.',
      parameters: [idParameter(version)],
      responses: { 202: cancelled(version) },
      errors: [invalidOperation('Only a pending request can be cancelled.'), notFound(), ...commonErrors],
    },
  };
}
