import type { Shape } from './messages/schema';
import { TOLD_EXTENSIONS } from './told-extensions';
import { API_VERSIONS, REQUEST_STATUSES } from './vocabulary';

/** The body of a callback, its fields in the order in which they are written (interface.md, "Callback body"; protocol-notes, order of keys). */
export const CALLBACK_BODY = {
  type: 'object',
  description: 'What a controller is told of a change of status (interface, "Callback body"). Verify the signature over these bytes before they are parsed.',
  additionalProperties: false,
  required: ['controller_id', 'expected_completion_time', 'status_callback_url', 'subject_request_id', 'request_status', 'api_version', 'results_url', 'extensions'],
  properties: {
    controller_id: { type: 'string', description: 'Id of the data controller, a field of the workspace.' },
    expected_completion_time: { type: 'string', format: 'date-time', description: 'Estimated fulfilment time.' },
    status_callback_url: { type: 'string', format: 'uri', description: 'The URL that this callback was sent to: each URL gets a body and a signature of its own.' },
    subject_request_id: { type: 'string', format: 'uuid', description: 'The id that the controller gave the request.' },
    request_status: { type: 'string', enum: REQUEST_STATUSES, description: 'The status that the request has reached.' },
    api_version: { type: 'string', enum: API_VERSIONS, description: 'The version of the root that received the request.' },
    results_url: { type: ['string', 'null'], format: 'uri', description: 'Where the results of a completed access or portability request are, for 7 days; null otherwise.' },
    extensions: TOLD_EXTENSIONS,
  },
} as const;

export type CallbackBody = Shape<typeof CALLBACK_BODY>;
