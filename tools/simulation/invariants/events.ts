import { requestEvents, type RequestEvent } from '@opendsr-service/contracts';
import type { Moment } from '../history';
import type { Outcome } from '../world';
import type { Invariant } from './violation';

interface Seen {
  readonly event: RequestEvent;
  readonly at: Moment;
  readonly bytes: string;
}

/** The events of each request as they came into the log, repeats included. */
const streams = ({ history }: Outcome): Map<string, Seen[]> =>
  Map.groupBy(
    history.events.map(({ record, at }) => ({
      event: requestEvents.decode(record),
      at,
      bytes: record.value.toString(),
    })),
    ({ event }) => event.srid,
  );

export const noGapInVersions: Invariant = {
  name: 'no gap in versions',
  check: (outcome) =>
    [...streams(outcome)].flatMap(([srid, seen]) => {
      let version = 0;
      const known = new Map<number, string>();
      return seen.flatMap(({ event, bytes }) => {
        if (event.version > version + 1) return [{ srid, what: `version ${event.version} came after ${version}` }];
        if (known.has(event.version) && known.get(event.version) !== bytes)
          return [{ srid, what: `there are two versions ${event.version}` }];
        version = Math.max(version, event.version);
        known.set(event.version, bytes);
        return [];
      });
    }),
};

export const completedAfterAllReports: Invariant = {
  name: 'completion only after all reports',
  check: (outcome) =>
    [...streams(outcome)].flatMap(([srid, seen]) => {
      const fulfilled = seen.find(({ event }) => event.type === 'RequestFulfilled');
      const started = seen.map(({ event }) => event).find((event) => event.type === 'RequestStarted');
      if (!fulfilled || !started) return fulfilled ? [{ srid, what: 'it was fulfilled without having started' }] : [];
      const reports = outcome.history.reports.filter(
        (report) => report.srid === srid && report.status !== 'failed' && report.at < fulfilled.at,
      );
      const missing = started.participants.filter((name) => !reports.some(({ participant }) => participant === name));
      return missing.map((name) => ({ srid, what: `it was fulfilled before ${name} had reported its last word` }));
    }),
};
