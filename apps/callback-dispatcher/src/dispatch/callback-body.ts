import { toInterfaceExtensions, controllerRequestId, type CallbackBody } from '@opendsr-service/contracts';
import type { Destination, PendingCallback } from '../destinations/destination';

/** Depends on stored facts only, so that every attempt sends the same bytes (protocol, "Callback body"). */
export function callbackBody(
  destination: Destination,
  callback: PendingCallback,
  links: { readonly url: string; readonly resultsUrl: string | null },
): Buffer {
  const body: CallbackBody = {
    controller_id: destination.controllerId,
    expected_completion_time: expectedBy(destination, callback),
    status_callback_url: links.url,
    subject_request_id: controllerRequestId(destination),
    request_status: callback.status,
    api_version: destination.apiVersion,
    results_url: links.resultsUrl,
    extensions: toInterfaceExtensions(callback.extensions),
  };
  return Buffer.from(JSON.stringify(body));
}

function expectedBy({ expectedAt, extended }: Destination, { v }: Pick<PendingCallback, 'v'>): string {
  return extended && v > extended.v ? extended.until : expectedAt;
}

export const hasResults = (
  destination: Pick<Destination, 'type'>,
  callback: Pick<PendingCallback, 'status'>,
): boolean => destination.type !== 'erasure' && callback.status === 'completed';
