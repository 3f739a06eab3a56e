import { REGULATIONS, REQUEST_TYPES } from '@opendsr-service/contracts';
import type { Clock, StoreGauge } from '@opendsr-service/service';
import type { AgeingCounts, AgeingMeasures, AgeingSeries } from './ageing-measures.store';

const MAX_COUNTED = 100_000;
/** As many as a process distinguishes of calls; further ones count as `other`. */
const MAX_CLASSES = 10;

const STATES = { on_track: 'onTrack', at_risk: 'atRisk', overdue: 'overdue' } as const satisfies Readonly<
  Record<string, keyof AgeingCounts>
>;

/** How many requests are on track, at risk and overdue, for each regulation, type and class of workspace. */
export const ageingGauge = (clock: Clock, requests: AgeingMeasures): StoreGauge => ({
  name: 'opendsr_requests_legal_date',
  help:
    'Requests that have not ended, by their legal date: on_track, at_risk (three quarters of the time are gone), overdue; ' +
    `each counts up to ${MAX_COUNTED} for a status.`,
  labels: ['regulation', 'type', 'workspace_class', 'state'],
  measure: async () => {
    const now = clock.now();
    const classes = await requests.classes();
    const series = classes.flatMap((workspaceClass) =>
      REGULATIONS.flatMap((countedBy) => REQUEST_TYPES.map((type) => ({ workspaceClass, countedBy, type }))),
    );
    // One after the other, as counts of many keep a core of the store busy.
    const counted = await Array.fromAsync(series, async (of) => ({
      of,
      counts: await requests.count(of, now, MAX_COUNTED),
    }));
    return summed(counted, classes.slice(0, MAX_CLASSES));
  },
});

interface Counted {
  readonly of: AgeingSeries;
  readonly counts: AgeingCounts;
}

/** Classes that are not shown share their series. */
function summed(counted: readonly Counted[], shown: readonly string[]) {
  const samples = counted.flatMap(({ of, counts }) => {
    const workspaceClass = shown.includes(of.workspaceClass) ? of.workspaceClass : 'other';
    return Object.entries(STATES).map(([state, name]) => ({
      labels: { regulation: of.countedBy, type: of.type, workspace_class: workspaceClass, state },
      value: counts[name],
    }));
  });
  const series = Map.groupBy(samples, ({ labels }) => Object.values(labels).join());
  return [...series.values()].map((same) => ({
    labels: same[0]?.labels ?? {},
    value: same.reduce((sum, { value }) => sum + value, 0),
  }));
}
