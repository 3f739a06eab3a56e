import type { RequestStatus } from '@opendsr-service/contracts';
import type { Moment } from '../history';
import type { Outcome } from '../world';
import type { Invariant } from './violation';

/** A status that a caller or receiver saw: it was true at some moment from `since` to `until`. */
interface Sight {
  readonly status: RequestStatus;
  readonly since: Moment;
  readonly until: Moment;
}

const AFTER: Readonly<Record<RequestStatus, readonly RequestStatus[]>> = {
  pending: ['pending', 'in_progress', 'completed', 'cancelled'],
  in_progress: ['in_progress', 'completed'],
  completed: ['completed'],
  cancelled: ['cancelled'],
};

/**
 * The statuses from calls and callbacks of each request. A callback shows an earlier status, so it only limits later
 * ones.
 */
function sights({ history }: Outcome): Map<string, Sight[]> {
  const seen = new Map<string, Sight[]>();
  const add = (srid: string, sight: Sight): void => void (seen.get(srid) ?? seen.set(srid, []).get(srid))?.push(sight);
  for (const { kind, life, status, shown, beganAt: since, endedAt: until } of history.calls) {
    if (until === undefined) continue;
    if (kind === 'cancel' && status === 202) add(life.srid, { status: 'cancelled', since, until });
    for (const one of shown) add(one.srid, { status: one.status, since, until });
  }
  return seen;
}

/** Two that overlapped prove nothing; of two that did not the later one was true later. */
export const noStatusGoesBack: Invariant = {
  name: 'no status shown goes back',
  check: (outcome) =>
    [...sights(outcome)].flatMap(([srid, seen]) =>
      seen.flatMap((earlier) =>
        seen
          .filter((later) => later.since > earlier.until && !AFTER[earlier.status].includes(later.status))
          .map((later) => ({ srid, what: `${earlier.status} was shown, and ${later.status} after it` })),
      ),
    ),
};

export const callbacksTellWhatIsShown: Invariant = {
  name: 'no callback has a status before GET shows it',
  check: (outcome) => {
    const seen = sights(outcome);
    return outcome.history.taken.flatMap(({ srid, status, at }) =>
      (seen.get(srid) ?? [])
        .filter((sight) => sight.since > at && !AFTER[status].includes(sight.status))
        .map((sight) => ({ srid, what: `a callback said ${status}, and then ${sight.status} was shown` })),
    );
  },
};

export const cancelledNeverStarts: Invariant = {
  name: 'a 202 to DELETE is never followed by in_progress',
  check: (outcome) => {
    const { calls, taken } = outcome.history;
    const cancelled = new Map(
      calls
        .filter(({ kind, status }) => kind === 'cancel' && status === 202)
        .map(({ life, endedAt = 0 }) => [life.srid, endedAt]),
    );
    const shown = calls.flatMap((call) => call.shown.map((one) => ({ ...one, at: call.beganAt })));
    const started = outcome.final.admissions
      .filter(({ status }) => status !== 'cancelled')
      .map(({ srid, status }) => ({ srid, status, at: Infinity }));
    return [...shown, ...taken, ...started]
      .filter(
        ({ srid, status, at }) =>
          ['in_progress', 'completed'].includes(status) && at > (cancelled.get(srid) ?? Infinity),
      )
      .map(({ srid, status }) => ({ srid, what: `its cancel was answered with 202, and then it was ${status}` }));
  },
};
