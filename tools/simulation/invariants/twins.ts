import { requestEvents } from '@opendsr-service/contracts';
import type { Call, Moment } from '../history';
import type { Outcome } from '../world';
import type { Invariant } from './violation';

/** When a request kept its twins out: certainly from `surelyFrom` to `surelyUntil`, at most from `from` to `until`. */
interface Hold {
  readonly srid: string;
  readonly key: string;
  readonly from: Moment;
  readonly surelyFrom: Moment;
  readonly surelyUntil: Moment;
  readonly until: Moment;
}

const NEVER = Infinity;

const twinKey = ({ life }: Call): string => `${life.tenant.ws} ${life.type} ${life.person}`;

/** The first of the moments; never without one. */
const first = (moments: readonly Moment[]): Moment => Math.min(NEVER, ...moments);

/** When requests were fulfilled: none completes before. */
function fulfilled({ history }: Outcome): Map<string, Moment> {
  const moments = new Map<string, Moment>();
  for (const { record, at } of history.events) {
    const event = requestEvents.decode(record);
    if (event.type === 'RequestFulfilled' && !moments.has(event.srid)) moments.set(event.srid, at);
  }
  return moments;
}

/** A create that was not refused may have admitted its request, also without an answer. */
function holds(outcome: Outcome): Hold[] {
  const { calls, taken } = outcome.history;
  const fulfilledAt = fulfilled(outcome);
  const admitted = new Set(outcome.final.admissions.map(({ srid }) => srid));
  const creates = calls.filter(({ kind, life }) => kind === 'create' && admitted.has(life.srid));
  return [...Map.groupBy(creates, ({ life }) => life.srid)].map(([srid, own]) => {
    const possible = own.filter(({ status = 500 }) => status === 201 || status >= 500);
    const cancels = calls.filter(
      ({ kind, life, status = 500 }) => kind === 'cancel' && life.srid === srid && (status === 202 || status >= 500),
    );
    const endedShown = [
      ...calls
        .filter((call) =>
          call.shown.some((one) => one.srid === srid && ['completed', 'cancelled'].includes(one.status)),
        )
        .map(({ endedAt = NEVER }) => endedAt),
      ...taken
        .filter((one) => one.srid === srid && ['completed', 'cancelled'].includes(one.status))
        .map(({ at }) => at),
      ...cancels.filter(({ status }) => status === 202).map(({ endedAt = NEVER }) => endedAt),
    ];
    return {
      srid,
      key: twinKey(own[0] as Call),
      from: first(possible.map(({ beganAt }) => beganAt)),
      surelyFrom: first(
        own
          .filter(({ status, message }) => status === 201 || message?.includes('already exists'))
          .map(({ endedAt = NEVER }) => endedAt),
      ),
      surelyUntil: Math.min(fulfilledAt.get(srid) ?? NEVER, first(cancels.map(({ beganAt }) => beganAt))),
      until: first(endedShown),
    };
  });
}

/** Judged where the order of calls leaves no doubt: what overlaps may have come either way. */
export const conflictsMeanTwins: Invariant = {
  name: '409 exactly while the twin is pending or in progress',
  check: (outcome) => {
    const byKey = Map.groupBy(holds(outcome), ({ key }) => key);
    const others = (call: Call): Hold[] =>
      (byKey.get(twinKey(call)) ?? []).filter(({ srid }) => srid !== call.life.srid);
    return outcome.history.calls.flatMap((call) => {
      const { kind, life, status, beganAt, endedAt = NEVER } = call;
      if (kind !== 'create') return [];
      if (status === 409 && !others(call).some(({ from, until }) => from < endedAt && until > beganAt))
        return [{ srid: life.srid, what: 'it was answered with 409 while no twin was pending or in progress' }];
      const held = others(call).find(({ surelyFrom, surelyUntil }) => surelyFrom < beganAt && surelyUntil > endedAt);
      return status === 201 && held
        ? [{ srid: life.srid, what: `it was answered with 201 while its twin ${held.srid} was pending or in progress` }]
        : [];
    });
  },
};
