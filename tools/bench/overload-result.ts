import type { Spread } from './statistics';

/** What came of calls at a rate that does not wait for answers. */
export interface OverloadCounts {
  /** Calls that the rate makes in the time, and how many of them found a connection. */
  readonly offered: number;
  readonly sent: number;
  readonly taken: Spread | null;
  readonly refused: Spread | null;
  /** How often each status came; 0 stands for no answer. */
  readonly statuses: Readonly<Record<number, number>>;
  readonly refusedWithoutRetryAfter: number;
}

/** What a form does with several times the load that saturates it. */
export interface OverloadMeasured extends OverloadCounts {
  readonly saturatingPerSecond: number;
  readonly seconds: number;
  /** Memory of the process that takes the calls: before, and at the most in each half of the time. */
  readonly rssMiB: { readonly before: number; readonly firstHalf: number; readonly secondHalf: number };
}

export const OVERLOAD_FACTOR = 3;
const REFUSED = [429, 503];
const TAKEN = 201;
const ANSWERED_MS = 1_000;
/** The heap of a busy process moves by so much of itself in a short window. */
const STEADY_MIB = 128;
const SENT_SHARE = 0.95;

export const takenOf = ({ statuses }: OverloadCounts): number => statuses[TAKEN] ?? 0;
export const refusedOf = ({ statuses }: OverloadCounts): number =>
  REFUSED.reduce((sum, status) => sum + (statuses[status] ?? 0), 0);
export const isRefusal = (status: number): boolean => REFUSED.includes(status);

/** What of the promise was broken, in words: see docs/limits.md, "Overload". */
export function faultsOfOverload(measured: OverloadMeasured): string[] {
  const { offered, sent, taken, refused, statuses, refusedWithoutRetryAfter, rssMiB } = measured;
  const others = Object.keys(statuses)
    .map(Number)
    .filter((status) => status !== TAKEN && !isRefusal(status));
  const grewMiB = rssMiB.secondHalf - rssMiB.firstHalf;
  return [
    ...(taken ? late('calls that were taken', taken) : ['no call was taken']),
    ...(refused ? late('refusals', refused) : []),
    ...(refusedWithoutRetryAfter > 0 ? [`${String(refusedWithoutRetryAfter)} refusals had no Retry-After`] : []),
    ...others.map(
      (status) => `${String(statuses[status])} times ${status === 0 ? 'no answer' : `the answer ${String(status)}`}`,
    ),
    ...(grewMiB > STEADY_MIB ? [`memory grew by ${grewMiB.toFixed(0)} MiB from the first half to the second`] : []),
    ...(sent < SENT_SHARE * offered ? [`only ${String(sent)} of ${String(offered)} calls found a connection`] : []),
  ];
}

const late = (what: string, { p99Ms }: Spread): string[] =>
  p99Ms >= ANSWERED_MS ? [`${what} waited ${p99Ms.toFixed(0)} ms (p99)`] : [];
