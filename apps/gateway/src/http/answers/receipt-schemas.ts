import {
  API_VERSIONS,
  DISCOVERY_IDENTITIES,
  REQUEST_STATUSES,
  REQUEST_TYPES,
  INTERFACE_FIELDS,
} from '@opendsr-service/contracts';
import { item, list, object, oneOf, time } from '@opendsr-service/edge';

// Answers of the DSR endpoints (protocol, "Resources and their fields"); the code is compiled against them.

const { controllerId, expectedAt } = INTERFACE_FIELDS;
const requestId = {
  type: 'string',
  format: 'uuid',
  description: 'The id that the controller gave the request, as it wrote it first.',
} as const;

export const CREATION_RECEIPT = object('The answer to a create (protocol, "Creation receipt").', {
  expected_completion_time: expectedAt,
  received_time: time('When the request was received.'),
  encoded_request: {
    type: 'string',
    contentEncoding: 'base64',
    description: 'The bytes of the body as they were received.',
  },
  subject_request_id: requestId,
  controller_id: controllerId,
});

export const CANCELLATION_RECEIPT = object('The answer to a cancel (protocol, "Cancellation receipt").', {
  expected_completion_time: { type: 'null', description: 'Null: a cancelled request is fulfilled at no time.' },
  received_time: time('When the cancellation was received.'),
  subject_request_id: requestId,
  controller_id: controllerId,
});

export const STATUS_RECORD = object('What a controller may know of a request (protocol, "Request status record").', {
  controller_id: controllerId,
  expected_completion_time: {
    ...expectedAt,
    description: 'Estimated fulfilment time; it stays a time when the request is cancelled.',
  },
  subject_request_id: requestId,
  group_id: {
    type: ['string', 'null'],
    minLength: 1,
    maxLength: 256,
    description:
      'What relates requests of a workspace to each other, as it was sent. Null where nothing was, and ' +
      'in the answer to a read of one request once the key of that is destroyed.',
  },
  request_status: oneOf(REQUEST_STATUSES, 'Only a pending request can be cancelled.'),
  api_version: INTERFACE_FIELDS.apiVersion,
  results_url: INTERFACE_FIELDS.resultsUrl,
  extensions: INTERFACE_FIELDS.extensions,
});

export const DISCOVERY_RECORD = object('What the service can do (protocol, "Discovery record").', {
  api_version: oneOf(API_VERSIONS, 'The version of this root.'),
  supported_identities: list(
    'Identity types that a request may name without the extension.',
    item({
      identity_type: oneOf(DISCOVERY_IDENTITIES, 'A value of `identity_type`.'),
      identity_format: { type: 'string', const: 'raw', description: 'Hashed identities are not supported.' },
    }),
  ),
  supported_subject_request_types: {
    type: 'array',
    items: { type: 'string', enum: REQUEST_TYPES },
    description: 'Kinds of requests.',
  },
  processor_certificate: {
    type: 'string',
    format: 'uri',
    description: 'Where the certificate is that verifies the signatures of this version.',
  },
});
