import {
  API_VERSIONS,
  CALLBACK_BODY,
  REGULATIONS,
  REQUEST_STATUSES,
  REQUEST_TYPES,
  type CallbackBody,
} from '@opendsr-service/contracts';
import type { ApiVersion, Regulation, RequestStatus, RequestType, SentCallbackBody } from './words';

/** The compiler refuses a table with a missing or an extra word. */
const versions: Record<ApiVersion, true> = { '1.0': true, '2.0': true };
const regulations: Record<Regulation, true> = { gdpr: true, ccpa: true };
const types: Record<RequestType, true> = { access: true, portability: true, erasure: true };
const statuses: Record<RequestStatus, true> = { pending: true, in_progress: true, completed: true, cancelled: true };
const fields: Record<keyof SentCallbackBody, true> = {
  controller_id: true,
  expected_completion_time: true,
  status_callback_url: true,
  subject_request_id: true,
  request_status: true,
  api_version: true,
  results_url: true,
  extensions: true,
};

it.each<[string, object, readonly string[]]>([
  ['versions', versions, API_VERSIONS],
  ['regulations', regulations, REGULATIONS],
  ['types of requests', types, REQUEST_TYPES],
  ['statuses', statuses, REQUEST_STATUSES],
  ['fields of a callback', fields, CALLBACK_BODY.required],
])('publishes the %s of the contracts', (_what, published, known) => {
  expect(Object.keys(published).sort()).toEqual([...known].sort());
});

it('publishes a callback with the shape of the contracts', () => {
  const asPublished = (callback: CallbackBody): SentCallbackBody => callback;
  expect(asPublished).toBeDefined();
});
