import { retryAfterMs } from '@opendsr-service/contracts';
import type { GivenUpReason, Destination } from '../destinations/destination';
import { fractionOf, nextTick, sendAt, spreadOf, type TickTimes } from '../destinations/tick';
import type { TryOutcome } from './outcome';

/** When callbacks are sent and sent again (protocol-notes, "Retry of callbacks"). */
export interface DispatchTimes extends TickTimes {
  /** Waits after the first, second and further failures; the last one repeats. */
  readonly retryGapsMs: readonly number[];
  /** How long after its first failure a destination is given up. */
  readonly giveUpAfterMs: number;
}

/** What a try means for its destination. */
export type NextStep =
  | { readonly kind: 'delivered' }
  | { readonly kind: 'retry'; readonly dueAt: Date; readonly failingSince: Date; readonly tries: number }
  | { readonly kind: 'wait'; readonly dueAt: Date }
  | { readonly kind: 'give-up'; readonly reason: GivenUpReason };

/** How a destination has failed so far. */
export type Failing = Pick<Destination, '_id' | 'tries' | 'failingSince'>;

/** A gap is shortened by at most this part of it, so that what failed together does not come back together. */
const JITTER = 0.25;

/** `failing` says how the tries before this one went; `now` is when it was answered, or where it was not, when it began. */
export function nextStep(outcome: TryOutcome, failing: Failing, now: Date, times: DispatchTimes): NextStep {
  if (outcome.kind === 'delivered') return { kind: 'delivered' };
  if (outcome.reason === 'gone' || outcome.reason === 'key-destroyed')
    return { kind: 'give-up', reason: outcome.reason };
  // The operator's doing, not the receiver's: it waits for as long as it takes, and nothing counts against the destination.
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

/** Whether a destination is given up unless this try succeeds. */
export const isLastTry = ({ failingSince }: Failing, now: Date, { giveUpAfterMs }: DispatchTimes): boolean =>
  failingSince !== undefined && now.getTime() >= failingSince.getTime() + giveUpAfterMs;

const longestGapMs = ({ tickMs, retryGapsMs }: Pick<DispatchTimes, 'tickMs' | 'retryGapsMs'>): number =>
  Math.max(...retryGapsMs, tickMs);

/**
 * On a tick, and after it at the destination's own time: the gap of the schedule with its jitter, or the longer wait that the receiver asked for, but
 * never beyond the longest gap or the last try.
 */
function retryAt(
  { _id, tries, failingSince }: Required<Failing>,
  { now, waitMs }: { now: Date; waitMs: number },
  { tickMs, spreadMs, retryGapsMs, giveUpAfterMs }: DispatchTimes,
): Date {
  const spread = spreadOf(_id, spreadMs);
  const nowMs = now.getTime() - spread;
  // Counted from the tick that this try belongs to, so that the time a try takes does not add up.
  const thisTick = Math.floor(nowMs / tickMs) * tickMs;
  const gapMs = retryGapsMs[Math.min(tries, retryGapsMs.length - 1)] ?? tickMs;
  const ticks = Math.max(1, Math.round((gapMs * (1 - JITTER * fractionOf(_id, tries))) / tickMs));
  const askedFor = Math.min(nowMs + waitMs, thisTick + longestGapMs({ tickMs, retryGapsMs }));
  const due = Math.min(Math.max(thisTick + ticks * tickMs, askedFor), failingSince.getTime() + giveUpAfterMs - spread);
  return new Date(nextTick(new Date(due), tickMs).getTime() + spread);
}
