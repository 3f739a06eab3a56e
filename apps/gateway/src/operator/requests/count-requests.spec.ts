import { countRequests } from './count-requests';
import { MOST_COUNTED } from './request-schemas';

const DAY_MS = 86_400_000;
const NOW = new Date('2026-11-26T12:00:00Z');
const daysOn = (days: number) => new Date(NOW.getTime() + days * DAY_MS);

interface Planted {
  readonly status: 'pending' | 'in_progress';
  readonly receivedAt: Date;
  readonly dueBy: Date;
  readonly atRiskAt: Date;
}

/** Requests that have not ended, and how many an index gave of them by receipt. */
function world(requests: readonly Planted[]) {
  let read = 0;
  const isIn = (at: Date, { from, before }: { from?: Date | undefined; before?: Date | undefined }) =>
    (!from || at >= from) && (!before || at < before);
  const most = (limit: number | undefined, fits: (one: Planted) => boolean) =>
    Math.min(limit ?? Infinity, requests.filter(fits).length);
  const listed: Parameters<typeof countRequests>[0] = {
    countDue: (_ws, due, limit) => Promise.resolve(most(limit, ({ dueBy }) => isIn(dueBy, due))),
    countOpen: (_ws, { status, atRisk, received }, limit) => {
      const count = most(
        limit,
        (one) =>
          one.status === status &&
          (!atRisk || ('by' in atRisk ? one.atRiskAt <= atRisk.by : one.atRiskAt > atRisk.after)) &&
          (!received || isIn(one.receivedAt, received)),
      );
      if (received) read += count;
      return Promise.resolve(count);
    },
  };
  return { count: () => countRequests(listed, [undefined], NOW), read: () => read };
}

const planted = (status: Planted['status'], age: number, dueIn = 30): Planted => ({
  ...{ status, receivedAt: daysOn(-age), dueBy: daysOn(dueIn), atRiskAt: daysOn(dueIn - 7) },
});
const many = (count: number, one: Planted): readonly Planted[] => Array.from({ length: count }, () => one);

it('reads every request once for its status and its age', async () => {
  const ages = [0, 6, 7, 8, 29, 31, 59, 61, 400];
  const requests = [
    ...ages.map((age) => planted('pending', age)),
    ...ages.map((age) => planted('in_progress', age)),
    ...[planted('pending', 40, -1), planted('in_progress', 25, 3)],
  ];
  const { count, read } = world(requests);
  expect(await count()).toEqual({
    ...{ open: 20, pending: 10, in_progress: 10, on_track: 18, at_risk: 1, overdue: 1, due_within_week: 1 },
    ...{ open_over_7_days: 14, open_over_30_days: 9, open_over_60_days: 4 },
  });
  expect(read()).toBe(requests.length);
});

it('counts what is on track beside more that is late than a count shows', async () => {
  const { count } = world([
    ...many(MOST_COUNTED + 500, planted('pending', 61, -1)),
    ...many(400, planted('pending', 61)),
    ...many(300, planted('in_progress', 1)),
  ]);
  expect(await count()).toMatchObject({
    ...{ open: MOST_COUNTED, pending: MOST_COUNTED, in_progress: 300 },
    ...{ on_track: 700, at_risk: 0, overdue: MOST_COUNTED },
  });
  expect(
    await world([...many(9_000, planted('pending', 61, -1)), ...many(1_400, planted('pending', 61))]).count(),
  ).toMatchObject({ open: MOST_COUNTED, on_track: 1_400, at_risk: 0, overdue: 9_000, open_over_60_days: MOST_COUNTED });
});

it('counts what is at risk beside more that is overdue than a count shows, and more of it than it shows', async () => {
  const overdue = many(MOST_COUNTED + 1, planted('in_progress', 61, -1));
  const atRisk = planted('pending', 40, 3);
  expect(await world([...overdue, ...many(20, atRisk), planted('pending', 1)]).count()).toMatchObject({
    ...{ on_track: 1, at_risk: 20, overdue: MOST_COUNTED },
  });
  expect(await world([planted('pending', 61, -1), ...many(MOST_COUNTED + 1, atRisk)]).count()).toMatchObject({
    ...{ on_track: 0, at_risk: MOST_COUNTED, overdue: 1 },
  });
});
