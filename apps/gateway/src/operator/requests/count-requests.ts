import { OPEN_STATUSES, type OpenStatus, type Shape } from '@opendsr-service/contracts';
import type { ListedRequestsStore } from './listed-requests.store';
import { MOST_COUNTED, type OPERATOR_REQUEST_COUNTS } from './request-schemas';

const DAY_MS = 86_400_000;

/** How many requests have not ended. */
export type RequestCounts = Omit<Shape<typeof OPERATOR_REQUEST_COUNTS>, 'counted_time'>;

type Listed = Pick<ListedRequestsStore, 'countDue' | 'countOpen'>;

/** No number is above `MOST_COUNTED`. `undefined` stands for all workspaces. */
export async function countRequests(
  listed: Listed,
  workspaces: readonly (string | undefined)[],
  now: Date,
): Promise<RequestCounts> {
  const counts = await Promise.all(workspaces.map((ws) => countIn(listed, ws, now)));
  const sum = (of: keyof RequestCounts) => Math.min(MOST_COUNTED, totalOf(counts.map((one) => one[of])));
  return {
    open: sum('open'),
    pending: sum('pending'),
    in_progress: sum('in_progress'),
    on_track: sum('on_track'),
    at_risk: sum('at_risk'),
    overdue: sum('overdue'),
    due_within_week: sum('due_within_week'),
    open_over_7_days: sum('open_over_7_days'),
    open_over_30_days: sum('open_over_30_days'),
    open_over_60_days: sum('open_over_60_days'),
  };
}

/** What has not ended is counted by its age, so that none is read twice. */
async function countIn(listed: Listed, ws: string | undefined, now: Date): Promise<RequestCounts> {
  const weekOn = new Date(now.getTime() + 7 * DAY_MS);
  const countByAge = (status: OpenStatus) =>
    Promise.all(agesAt(now).map((received) => listed.countOpen(ws, { status, received }, MOST_COUNTED)));
  const [overdue, dueWithinWeek, onTrack] = await Promise.all([
    listed.countDue(ws, { before: now }, MOST_COUNTED),
    listed.countDue(ws, { from: now, before: weekOn }, MOST_COUNTED),
    ofBoth((status) => listed.countOpen(ws, { status, atRisk: { after: now } }, MOST_COUNTED)),
  ]);
  const atRisk = await countAtRisk(listed, { ws, now, overdue });
  const [pending, inProgress] = await Promise.all([countByAge('pending'), countByAge('in_progress')]);
  const olderThan = (age: number) => totalOf([...pending.slice(age), ...inProgress.slice(age)]);
  return {
    ...{ open: olderThan(0), pending: totalOf(pending), in_progress: totalOf(inProgress) },
    ...{ on_track: onTrack, at_risk: atRisk, overdue, due_within_week: dueWithinWeek },
    ...{ open_over_7_days: olderThan(1), open_over_30_days: olderThan(2), open_over_60_days: olderThan(3) },
  };
}

interface Overdue {
  readonly ws: string | undefined;
  readonly now: Date;
  /** How many, up to `MOST_COUNTED`. */
  readonly overdue: number;
}

/**
 * No index has them alone: they are what is at risk by now without what is overdue. So neither may stop before the other,
 * and beside more overdue than a count shows all of these are counted, in indexes alone: 0.7 s for 1,000,000.
 */
async function countAtRisk(listed: Listed, { ws, now, overdue }: Overdue): Promise<number> {
  const isAll = overdue < MOST_COUNTED;
  const limit = isAll ? MOST_COUNTED + overdue : undefined;
  const late = await ofBoth((status) => listed.countOpen(ws, { status, atRisk: { by: now } }, limit));
  return Math.max(0, late - (isAll ? overdue : await listed.countDue(ws, { before: now })));
}

const ofBoth = async (count: (status: OpenStatus) => Promise<number>): Promise<number> =>
  totalOf(await Promise.all(OPEN_STATUSES.map(count)));

/** The youngest first. */
function agesAt(now: Date) {
  const [week, month, twoMonths] = [7, 30, 60].map((days) => new Date(now.getTime() - days * DAY_MS));
  return [
    { from: week },
    { from: month, before: week },
    { from: twoMonths, before: month },
    { before: twoMonths },
  ] as const;
}

const totalOf = (counts: readonly number[]): number => counts.reduce((sum, one) => sum + one, 0);
