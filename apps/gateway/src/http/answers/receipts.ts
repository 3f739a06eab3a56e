import { toInterfaceExtensions, controllerRequestId, type Shape } from '@opendsr-service/contracts';
import type { ReceiptFacts } from '../../admission/admissions';
import type { ListableRequest, RequestDocument } from '../../admission/request.document';
import type { CANCELLATION_RECEIPT, CREATION_RECEIPT, STATUS_RECORD } from './receipt-schemas';

/** See protocol, "Creation receipt". `rawBody` holds the received bytes. */
export const creationReceipt = (request: ReceiptFacts, rawBody: Buffer): Shape<typeof CREATION_RECEIPT> => ({
  expected_completion_time: request.expectedAt.toISOString(),
  received_time: request.receivedAt.toISOString(),
  encoded_request: rawBody.toString('base64'),
  subject_request_id: controllerRequestId(request),
  controller_id: request.controllerId,
});

/** See protocol, "Cancellation receipt". */
export const cancellationReceipt = (request: RequestDocument): Shape<typeof CANCELLATION_RECEIPT> => ({
  expected_completion_time: null,
  received_time: (request.cancelledAt ?? request.receivedAt).toISOString(),
  subject_request_id: controllerRequestId(request),
  controller_id: request.controllerId,
});

/** See protocol, "Request status record". `group` is the name of its group. */
export const statusRecord = (
  request: ListableRequest,
  { group, resultsUrl }: Readonly<Record<'group' | 'resultsUrl', string | null>>,
): Shape<typeof STATUS_RECORD> => ({
  controller_id: request.controllerId,
  expected_completion_time: request.expectedAt.toISOString(),
  subject_request_id: controllerRequestId(request),
  group_id: group,
  request_status: request.status,
  api_version: request.apiVersion,
  results_url: resultsUrl,
  extensions: toInterfaceExtensions(request.extensions),
});
