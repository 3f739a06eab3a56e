import type { Shape } from '@opendsr-service/contracts';
import { timeOf } from '@opendsr-service/operator-answers';
import { callbackAnswer } from '../../http/callbacks/callback-answers';
import type { LedgerEntry } from '../../callbacks/ledger-entry';
import { cursorOf } from '../lists/cursor';
import type { PageOf } from '../lists/page-of';
import { callbackCursor } from './callback-list';
import { legalState } from './legal-state';
import type { ListedRequest, ListOrder } from './list-query';
import type { Page } from './read-page';
import type { OPERATOR_CALLBACK, OPERATOR_REQUEST, OPERATOR_REQUEST_STORY } from './request-schemas';
import type { RequestStory } from './operator-requests';

type Summary = Shape<typeof OPERATOR_REQUEST>;

const summaryAnswer = (request: ListedRequest, now: Date): Summary => ({
  workspace: request.ws,
  subject_request_id: request.srid,
  controller_id: request.controllerId,
  subject_request_type: request.type,
  regulation: request.countedBy ?? request.regulation ?? null,
  request_status: request.status,
  legal_state: legalState(request, now) ?? null,
  received_time: request.receivedAt.toISOString(),
  expected_completion_time: request.expectedAt.toISOString(),
  legal_due_time: timeOf(request.dueBy),
  extended: request.extendedUntil !== undefined,
  ended_time: timeOf(request.completedAt ?? request.cancelledAt),
  callbacks_failing: request.callbacksFailing ?? false,
});

export const listAnswer = ({ requests, next }: Page, order: ListOrder, now: Date) => ({
  requests: requests.map((request) => summaryAnswer(request, now)),
  next_cursor: next ? cursorOf(order, next) : null,
});

export function storyAnswer(
  { request, groupSize, key }: RequestStory,
  now: Date,
): Shape<typeof OPERATOR_REQUEST_STORY> {
  return {
    ...summaryAnswer(request, now),
    api_version: request.apiVersion,
    times: {
      submitted: request.submittedTime.toISOString(),
      legal_since: timeOf(request.legalSince),
      first_legal_due: timeOf(request.legalDueAt),
      at_risk: timeOf(request.atRiskAt),
      extended: timeOf(request.extendedAt),
      start: timeOf(request.startAt),
      started: timeOf(request.startedAt),
      completed: timeOf(request.completedAt),
      cancelled: timeOf(request.cancelledAt),
      key_due: timeOf(request.keyDueAt),
      key_destroyed: timeOf(request.keyGoneAt),
    },
    extended_by: request.extendedBy ?? null,
    group_size: groupSize ?? null,
    key,
    decisions: request.seq,
    event_version: request.v,
    waiting_commands: request.outbox.map(({ seq, type, at }) => ({ number: seq, type, time: at })),
    participants: request.extensions?.map(({ name, status }) => ({ name, status })) ?? [],
    open_destinations: request.openDestinations.length,
  };
}

export const callbacksAnswer = ({ items, last }: PageOf<LedgerEntry>) => ({
  callbacks: items.map(operatorCallbackAnswer),
  next_cursor: last ? callbackCursor(last) : null,
});

/** All callbacks of a request: what the tag of each page names. */
export const allCallbacks = (entries: readonly LedgerEntry[]): object => entries.map(operatorCallbackAnswer);

export function operatorCallbackAnswer(entry: LedgerEntry): Shape<typeof OPERATOR_CALLBACK> {
  const known = callbackAnswer({ entry, url: null });
  return {
    delivery_id: known.delivery_id,
    destination: entry.destination,
    request_status: known.request_status,
    status_time: known.status_time,
    state: known.state,
    reason: known.reason,
    attempt_count: known.attempt_count,
    next_attempt_time: known.next_attempt_time,
    attempts: known.attempts,
  };
}
