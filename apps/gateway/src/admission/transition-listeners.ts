import type { RequestDocument } from './request.document';
import type { StatusMetrics } from './status-metrics';

/** How long the process that ended a request has to record its persons; then any process does. */
const OWN_RECORDING_MS = 300_000;

/** Hears which requests this process changed. */
export interface ChangeListener {
  note(request: Pick<RequestDocument, 'ws' | 'srid'>): void;
}

export const NOBODY: ChangeListener = { note: () => undefined };

/** Injection token of the process's ChangeListener. */
export const CHANGE_LISTENER = Symbol('change listener');

/** Who hears of each status that this process wrote. */
export interface TransitionListeners {
  readonly statusChanges?: Pick<StatusMetrics, 'record'>;
  /** Hears of each change, for those who watch. */
  readonly changes?: ChangeListener;
  /** Handles the requests that this process ends. Without it, they wait for a claim. */
  readonly endedRequests?: { add(request: RequestDocument): void };
  /** Hears in how many milliseconds a new request starts. */
  readonly starts?: { due(inMs: number): void };
}

export function notifyListeners(
  { statusChanges, changes, endedRequests, starts }: TransitionListeners,
  request: RequestDocument,
): void {
  const { startAt, receivedAt } = request;
  statusChanges?.record(request);
  changes?.note(request);
  if (startAt) starts?.due(startAt.getTime() - receivedAt.getTime());
  if (request.completedAt ?? request.cancelledAt) endedRequests?.add(request);
}

/** When any process may record the persons of a request that ends now. */
export const personsAt = ({ endedRequests }: TransitionListeners, end: Date): Date =>
  new Date(end.getTime() + (endedRequests ? OWN_RECORDING_MS : 0));
