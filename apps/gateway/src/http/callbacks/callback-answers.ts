import type { Shape } from '@opendsr-service/contracts';
import { timeOf } from '@opendsr-service/operator-answers';
import type { CALLBACK_ENTRY } from './callback-schemas';
import type { CallbackView } from '../../callbacks/request-callbacks';
import type { Attempt, Standing } from '../../callbacks/ledger-entry';

type CallbackAnswer = Shape<typeof CALLBACK_ENTRY>;

const REASONS = { gone: 'gone', exhausted: 'exhausted', 'key-destroyed': 'key_destroyed' } as const;

const attemptAnswer = ({
  attempt,
  at,
  outcome,
  httpStatus,
  durationMs,
}: Attempt): CallbackAnswer['attempts'][number] => ({
  attempt,
  time: at.toISOString(),
  outcome,
  http_status: httpStatus ?? null,
  duration_ms: durationMs ?? null,
});

const reasonOf = (standing: Standing): CallbackAnswer['reason'] =>
  standing.state === 'given_up' ? REASONS[standing.reason] : null;
const nextTimeOf = (standing: Standing): string | null =>
  standing.state === 'waiting' ? timeOf(standing.nextAt) : null;

export const callbackAnswer = ({ entry, url }: CallbackView): CallbackAnswer => ({
  delivery_id: entry.delivery,
  status_callback_url: url,
  request_status: entry.status,
  status_time: timeOf(entry.statusAt),
  state: entry.standing.state,
  reason: reasonOf(entry.standing),
  attempt_count: entry.attemptCount,
  next_attempt_time: nextTimeOf(entry.standing),
  attempts: entry.attempts.map(attemptAnswer),
});

export const callbacksAnswer = (id: string, callbacks: readonly CallbackView[]) => ({
  subject_request_id: id,
  callbacks: callbacks.map(callbackAnswer),
});
