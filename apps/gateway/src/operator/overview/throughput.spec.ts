import { Throughput } from './throughput';

const HOUR_MS = 3_600_000;
const NOW = new Date('2026-11-21T12:30:00Z');

/** One request a second, up to now; `asked` holds the hours that were counted. */
function world() {
  const asked: number[] = [];
  const limited: number[] = [];
  const throughput = new Throughput({
    countDated: (_ws, { from, before }, limit = Infinity) => {
      const seconds = Math.floor((before.getTime() - 1) / 1_000) - Math.ceil(from.getTime() / 1_000) + 1;
      (limit === Infinity ? asked : limited).push(before.getTime() - from.getTime());
      return Promise.resolve(Math.min(limit, seconds));
    },
  });
  const count = (spanMs: number, now = NOW) => throughput.count(undefined, 'receivedAt', { now, spanMs });
  return { asked, limited, count };
}

it('counts few at once', async () => {
  const { asked, count } = world();
  expect([await count(2 * HOUR_MS), asked]).toEqual([7_201, []]);
});

it('counts many by the hour, and each hour that has passed once', async () => {
  const { asked, count } = world();
  expect(await count(24 * HOUR_MS)).toBe(24 * 3_600 + 1);
  expect(asked.toSorted((a, b) => a - b)).toEqual([HOUR_MS / 2, HOUR_MS / 2 + 1, ...Array<number>(23).fill(HOUR_MS)]);
  asked.length = 0;
  expect(await count(24 * HOUR_MS)).toBe(24 * 3_600 + 1);
  // The part of an hour at each end, and the two hours that may not be complete yet.
  expect(asked.toSorted((a, b) => a - b)).toEqual([HOUR_MS / 2, HOUR_MS / 2 + 1, HOUR_MS, HOUR_MS]);
});

it('does not try to count many at once again, until an hour has passed', async () => {
  const { limited, count } = world();
  const at = (minutes: number) => count(24 * HOUR_MS, new Date(NOW.getTime() + minutes * 60_000));
  await at(0);
  await at(59);
  expect(limited).toHaveLength(1);
  await at(60);
  expect(limited).toHaveLength(2);
});
