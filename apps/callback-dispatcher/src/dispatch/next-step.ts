import type { GivenUpReason, Lane } from '../lanes/lane';
import { nextTick } from '../lanes/next-tick';
import { retryAfterMs, type Outcome } from './outcome';

/** When callbacks are sent and sent again (protocol-notes, "Retry of callbacks"). */
export interface DispatchTimes {
  readonly tickMs: number;
  /** Waits after the first, second and further failures; the last one repeats. */
  readonly retryGapsMs: readonly number[];
  /** How long after its first failure a lane is given up. */
  readonly giveUpAfterMs: number;
}

/** What a try means for its lane. */
export type NextStep =
  | { readonly kind: 'delivered' }
  | { readonly kind: 'retry'; readonly dueAt: Date; readonly failingSince: Date; readonly tries: number }
  | { readonly kind: 'wait'; readonly dueAt: Date }
  | { readonly kind: 'give-up'; readonly reason: GivenUpReason };

/** `failing` says how the tries before this one went. */
export function nextStep(outcome: Outcome, failing: Pick<Lane, 'tries' | 'failingSince'>, now: Date, times: DispatchTimes): NextStep {
  if (outcome.kind === 'delivered') return { kind: 'delivered' };
  if (outcome.reason === 'gone' || outcome.reason === 'key-destroyed') return { kind: 'give-up', reason: outcome.reason };
  // The operator's doing, not the receiver's: it waits for as long as it takes, and nothing counts against the lane.
  if (outcome.reason === 'version-not-served') return { kind: 'wait', dueAt: nextTick(new Date(now.getTime() + 1), times.tickMs) };
  const { tries = 0, failingSince = now } = failing;
  const lastTryAt = failingSince.getTime() + times.giveUpAfterMs;
  if (now.getTime() >= lastTryAt) return { kind: 'give-up', reason: 'exhausted' };
  const waitMs = outcome.retryAfter === undefined ? 0 : (retryAfterMs(outcome.retryAfter, now) ?? 0);
  return { kind: 'retry', dueAt: retryAt(tries, { now, waitMs, lastTryAt }, times), failingSince, tries: tries + 1 };
}

/** On a tick: the gap of the schedule, or the longer wait that the receiver asked for, but never beyond the longest gap or the last try. */
function retryAt(tries: number, { now, waitMs, lastTryAt }: { now: Date; waitMs: number; lastTryAt: number }, { tickMs, retryGapsMs }: DispatchTimes): Date {
  // Counted from the tick that this try belongs to, so that the time a try takes does not add up.
  const thisTick = Math.floor(now.getTime() / tickMs) * tickMs;
  const gapMs = retryGapsMs[Math.min(tries, retryGapsMs.length - 1)] ?? tickMs;
  const askedFor = Math.min(now.getTime() + waitMs, thisTick + Math.max(...retryGapsMs, tickMs));
  return nextTick(new Date(Math.min(Math.max(thisTick + gapMs, askedFor), lastTryAt)), tickMs);
}
