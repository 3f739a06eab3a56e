import { toldExtensions, toldId, type CallbackBody } from '@opendsr-service/contracts';
import type { Lane, PendingCallback } from '../lanes/lane';

/**
 * The body of a callback (interface.md, "Callback body"; protocol-notes, order of keys). It depends on stored facts alone, so
 * that every try sends the same bytes.
 */
export function callbackBody(
  lane: Lane,
  callback: PendingCallback,
  links: { readonly url: string; readonly resultsUrl: string | null },
): Buffer {
  const body: CallbackBody = {
    controller_id: lane.controllerId,
    expected_completion_time: lane.expectedAt,
    status_callback_url: links.url,
    subject_request_id: toldId(lane),
    request_status: callback.status,
    api_version: lane.apiVersion,
    results_url: links.resultsUrl,
    extensions: toldExtensions(callback.extensions),
  };
  return Buffer.from(JSON.stringify(body));
}

/** Whether there is something to download once a callback says this. */
export const hasResults = (lane: Pick<Lane, 'type'>, callback: Pick<PendingCallback, 'status'>): boolean =>
  lane.type !== 'erasure' && callback.status === 'completed';
