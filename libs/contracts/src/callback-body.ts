import type { Shape } from './messages/schema';
import { INTERFACE_FIELDS } from './interface-fields';
import { REQUEST_STATUSES } from './vocabulary';

/** Body of a callback, with fields in the signed order (protocol, "Callback body"). */
export const CALLBACK_BODY = {
  type: 'object',
  description:
    'What a controller receives at a change of status (protocol, "Callback body"). Verify the ' +
    'signature over these bytes before they are parsed.',
  additionalProperties: false,
  required: [
    'controller_id',
    'expected_completion_time',
    'status_callback_url',
    'subject_request_id',
    'request_status',
    'api_version',
    'results_url',
    'extensions',
  ],
  properties: {
    controller_id: INTERFACE_FIELDS.controllerId,
    expected_completion_time: INTERFACE_FIELDS.expectedAt,
    status_callback_url: {
      type: 'string',
      format: 'uri',
      description: 'The URL that this callback was sent to: each URL gets a body and a signature of its own.',
    },
    subject_request_id: { type: 'string', format: 'uuid', description: 'The id that the controller gave the request.' },
    request_status: { type: 'string', enum: REQUEST_STATUSES, description: 'The status that the request has reached.' },
    api_version: INTERFACE_FIELDS.apiVersion,
    results_url: INTERFACE_FIELDS.resultsUrl,
    extensions: INTERFACE_FIELDS.extensions,
  },
} as const;

export type CallbackBody = Shape<typeof CALLBACK_BODY>;
