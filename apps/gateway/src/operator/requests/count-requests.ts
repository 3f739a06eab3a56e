import type { OpenStatus } from '@opendsr-service/contracts';
import type { ListedRequestsStore } from './listed-requests.store';
import { MOST_COUNTED } from './most-counted';

const DAY_MS = 86_400_000;

/** How many requests have not ended. */
export interface RequestCounts {
  readonly open: number;
  readonly pending: number;
  readonly inProgress: number;
  readonly onTrack: number;
  /** Not overdue yet. */
  readonly atRisk: number;
  readonly overdue: number;
  readonly dueWithinWeek: number;
  /** By age. */
  readonly over7Days: number;
  readonly over30Days: number;
  readonly over60Days: number;
}

type Listed = Pick<ListedRequestsStore, 'countDue' | 'countOpen'>;

/** Each count stops at `MOST_COUNTED`. `undefined` stands for all workspaces. */
export async function countRequests(
  listed: Listed,
  workspaces: readonly (string | undefined)[],
  now: Date,
): Promise<RequestCounts> {
  const counts = await Promise.all(workspaces.map((ws) => countIn(listed, ws, now)));
  const sum = (of: keyof RequestCounts) => Math.min(MOST_COUNTED, totalOf(counts.map((one) => one[of])));
  return {
    ...{ open: sum('open'), pending: sum('pending'), inProgress: sum('inProgress') },
    ...{ onTrack: sum('onTrack'), atRisk: sum('atRisk'), overdue: sum('overdue') },
    ...{ dueWithinWeek: sum('dueWithinWeek'), over7Days: sum('over7Days') },
    ...{ over30Days: sum('over30Days'), over60Days: sum('over60Days') },
  };
}

/**
 * All that is at risk or overdue is counted beyond the limit by what the difference takes away again. What has not ended is
 * counted by its age, so that none is read twice.
 */
async function countIn(listed: Listed, ws: string | undefined, now: Date): Promise<RequestCounts> {
  const weekOn = new Date(now.getTime() + 7 * DAY_MS);
  const [overdue, dueWithinWeek] = await Promise.all([
    listed.countDue(ws, { before: now }, MOST_COUNTED),
    listed.countDue(ws, { from: now, before: weekOn }, MOST_COUNTED),
  ]);
  const countLate = (status: OpenStatus) => listed.countOpen(ws, { status, lateBy: now }, MOST_COUNTED + overdue);
  const late = totalOf(await Promise.all([countLate('pending'), countLate('in_progress')]));
  const countByAge = (status: OpenStatus) =>
    Promise.all(agesAt(now).map((received) => listed.countOpen(ws, { status, received }, MOST_COUNTED + late)));
  const [pending, inProgress] = await Promise.all([countByAge('pending'), countByAge('in_progress')]);
  const olderThan = (age: number) => totalOf([...pending.slice(age), ...inProgress.slice(age)]);
  const open = olderThan(0);
  return {
    ...{ open, pending: totalOf(pending), inProgress: totalOf(inProgress) },
    ...{ onTrack: open - late, atRisk: late - overdue, overdue, dueWithinWeek },
    ...{ over7Days: olderThan(1), over30Days: olderThan(2), over60Days: olderThan(3) },
  };
}

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
