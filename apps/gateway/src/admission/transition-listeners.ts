import type { RequestDocument } from './request.document';
import type { StatusMetrics } from './status-changes';

/** How long the process that ended a request has to record its persons; then any process does. */
const OWN_RECORDING_MS = 300_000;

/** Who hears of each status that this process wrote. */
export interface TransitionListeners {
  readonly statusChanges?: Pick<StatusMetrics, 'record'>;
  /** Handles the requests that this process ends. Without it, they wait for a claim. */
  readonly endedRequests?: { add(request: RequestDocument): void };
}

export function notifyListeners({ statusChanges, endedRequests }: TransitionListeners, request: RequestDocument): void {
  statusChanges?.record(request);
  if (request.completedAt ?? request.cancelledAt) endedRequests?.add(request);
}

/** When any process may record the persons of a request that ends now. */
export const personsAt = ({ endedRequests }: TransitionListeners, end: Date): Date =>
  new Date(end.getTime() + (endedRequests ? OWN_RECORDING_MS : 0));
