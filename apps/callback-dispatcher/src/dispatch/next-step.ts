import { retryAfterMs } from '@opendsr-service/contracts';
import type { GivenUpReason, Destination } from '../destinations/destination';
import { fractionOf, nextTick, sendAt, spreadOf, type TickTimes } from '../destinations/tick';
import type { TryOutcome } from './outcome';

/** Schedule (protocol, "Retry of callbacks"). */
export interface DispatchTimes extends TickTimes {
  /** Gaps after each failure; the last one repeats. */
  readonly retryGapsMs: readonly number[];
  readonly giveUpAfterMs: number;
}

type NextStep =
  | { readonly kind: 'delivered' }
  | { readonly kind: 'retry'; readonly dueAt: Date; readonly failingSince: Date; readonly tries: number }
  | { readonly kind: 'wait'; readonly dueAt: Date }
  | { readonly kind: 'give-up'; readonly reason: GivenUpReason };

export type Failing = Pick<Destination, '_id' | 'tries' | 'failingSince'>;

const JITTER = 0.25;

/** `now`: the time of the answer, or the start of an unanswered attempt. */
export function nextStep(outcome: TryOutcome, failing: Failing, now: Date, times: DispatchTimes): NextStep {
  if (outcome.kind === 'delivered') return { kind: 'delivered' };
  if (outcome.reason === 'gone' || outcome.reason === 'key-destroyed')
    return { kind: 'give-up', reason: outcome.reason };
  // The operator's choice, not the receiver's fault: it waits without limit and counts no failure.
  if (outcome.reason === 'version-not-served')
    return { kind: 'wait', dueAt: sendAt(failing._id, new Date(now.getTime() + longestGapMs(times)), times) };
  const { tries = 0, failingSince = now } = failing;
  if (isLastTry(failing, now, times)) return { kind: 'give-up', reason: 'exhausted' };
  const waitMs = outcome.retryAfter === undefined ? 0 : (retryAfterMs(outcome.retryAfter, now) ?? 0);
  return {
    kind: 'retry',
    dueAt: retryAt({ _id: failing._id, tries, failingSince }, { now, waitMs }, times),
    failingSince,
    tries: tries + 1,
  };
}

export const isLastTry = ({ failingSince }: Failing, now: Date, { giveUpAfterMs }: DispatchTimes): boolean =>
  failingSince !== undefined && now.getTime() >= failingSince.getTime() + giveUpAfterMs;

const longestGapMs = ({ tickMs, retryGapsMs }: Pick<DispatchTimes, 'tickMs' | 'retryGapsMs'>): number =>
  Math.max(...retryGapsMs, tickMs);

/** The later of the gap with jitter and `Retry-After`, but not beyond the longest gap or the last attempt. */
function retryAt(
  { _id, tries, failingSince }: Required<Failing>,
  { now, waitMs }: { now: Date; waitMs: number },
  { tickMs, spreadMs, retryGapsMs, giveUpAfterMs }: DispatchTimes,
): Date {
  const spread = spreadOf(_id, spreadMs);
  const nowMs = now.getTime() - spread;
  // Counted from the attempt's tick, so that durations do not add up.
  const thisTick = Math.floor(nowMs / tickMs) * tickMs;
  const gapMs = retryGapsMs[Math.min(tries, retryGapsMs.length - 1)] ?? tickMs;
  const ticks = Math.max(1, Math.round((gapMs * (1 - JITTER * fractionOf(_id, tries))) / tickMs));
  const askedFor = Math.min(nowMs + waitMs, thisTick + longestGapMs({ tickMs, retryGapsMs }));
  const due = Math.min(Math.max(thisTick + ticks * tickMs, askedFor), failingSince.getTime() + giveUpAfterMs - spread);
  return new Date(nextTick(new Date(due), tickMs).getTime() + spread);
}
