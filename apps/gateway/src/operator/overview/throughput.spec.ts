import { embeddedDatabase } from '@opendsr-service/storage/testing';
import { DAYS, lastDays, MOST_KEPT, Throughput, type Dated } from './throughput';
import { throughputContract } from './throughput.contract';

const HOUR_MS = 3_600_000;
const NOW = new Date('2026-11-21T12:30:00Z');
const RECEIVED: Dated = { ws: undefined, field: 'receivedAt' };

throughputContract('the embedded store', embeddedDatabase('gateway'));

/** One request a second, up to now; `asked` holds the hours that were counted. */
function world() {
  const asked: number[] = [];
  const limited: number[] = [];
  let [atOnce, mostAtOnce] = [0, 0];
  const throughput = new Throughput({
    countDated: async (_ws, { from, before }, limit = Infinity) => {
      mostAtOnce = Math.max(mostAtOnce, (atOnce += 1));
      await Promise.resolve();
      atOnce -= 1;
      const seconds = Math.floor((before.getTime() - 1) / 1_000) - Math.ceil(from.getTime() / 1_000) + 1;
      (limit === Infinity ? asked : limited).push(before.getTime() - from.getTime());
      return Math.min(limit, seconds);
    },
  });
  const count = (spanMs: number, now = NOW) => throughput.at(now).count(RECEIVED, spanMs);
  const perDay = (now = NOW, ws?: string) => throughput.at(now).perDay({ ...RECEIVED, ws });
  return { throughput, asked, limited, count, perDay, mostAtOnce: () => mostAtOnce };
}
const ascending = (spans: readonly number[]): readonly number[] => spans.toSorted((a, b) => a - b);

it('counts few at once', async () => {
  const { asked, count } = world();
  expect([await count(2 * HOUR_MS), asked]).toEqual([7_201, []]);
});

it('counts many by the hour, and each hour that has passed once', async () => {
  const { asked, count } = world();
  expect(await count(24 * HOUR_MS)).toBe(24 * 3_600 + 1);
  expect(ascending(asked)).toEqual([HOUR_MS / 2, HOUR_MS / 2 + 1, ...Array<number>(23).fill(HOUR_MS)]);
  asked.length = 0;
  expect(await count(24 * HOUR_MS)).toBe(24 * 3_600 + 1);
  // The part of an hour at each end, and the two hours that may not be complete yet.
  expect(ascending(asked)).toEqual([HOUR_MS / 2, HOUR_MS / 2 + 1, HOUR_MS, HOUR_MS]);
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

const DAY_MS = 24 * HOUR_MS;

it('counts days in UTC, each that has passed once, and of this one what is young', async () => {
  const { asked, perDay } = world();
  const passed = Array<number>(DAYS - 1).fill(86_400);
  expect(await perDay()).toEqual([...passed, 12.5 * 3_600 + 1]);
  expect(ascending(asked)).toEqual([
    HOUR_MS / 2 + 1,
    ...Array<number>(12).fill(HOUR_MS),
    ...Array<number>(DAYS - 1).fill(DAY_MS),
  ]);
  asked.length = 0;
  expect(await perDay()).toEqual([...passed, 12.5 * 3_600 + 1]);
  expect(ascending(asked)).toEqual([HOUR_MS / 2 + 1, HOUR_MS, HOUR_MS]);
});

it('counts a day at once, and for good, only when its events have been applied', async () => {
  const { asked, perDay } = world();
  const midnight = new Date('2026-11-22T00:00:00Z');
  const at = (hours: number) => perDay(new Date(midnight.getTime() + hours * HOUR_MS));
  await at(1);
  asked.length = 0;
  expect((await at(1)).slice(-2)).toEqual([86_400, 3_601]);
  expect(ascending(asked)).toEqual([HOUR_MS]);
  asked.length = 0;
  await at(2);
  expect(ascending(asked)).toContain(DAY_MS);
  asked.length = 0;
  await at(2);
  expect(ascending(asked)).not.toContain(DAY_MS);
});

it('keeps a bounded number of counts, and forgets those that were asked for the longest time ago', async () => {
  const { asked, perDay } = world();
  const daysAsked = async (ws: string) => {
    asked.length = 0;
    await perDay(NOW, ws);
    return asked.filter((spanMs) => spanMs === DAY_MS).length;
  };
  const names = Array.from({ length: Math.ceil(MOST_KEPT / DAYS) }, (_, n) => `workspace ${n}`);
  expect(await daysAsked('first')).toBe(DAYS - 1);
  for (const ws of names) await perDay(NOW, ws);
  expect([await daysAsked('first'), await daysAsked(names.at(-1) ?? '')]).toEqual([DAYS - 1, 0]);
});

it('counts no more than two at once for an answer, however much it asks for', async () => {
  const { asked, throughput, mostAtOnce } = world();
  const answer = throughput.at(NOW);
  const spans = [24 * HOUR_MS, 7 * 24 * HOUR_MS].map((spanMs) => answer.count(RECEIVED, spanMs));
  await Promise.all([...spans, answer.perDay(RECEIVED), answer.perDay({ ...RECEIVED, ws: 'acme' })]);
  expect([asked.length > 100, mostAtOnce()]).toEqual([true, 2]);
});

/** A store whose counts end when the test says so. */
function stalled() {
  const counting: { readonly ws: string | undefined; readonly end: (failure?: Error) => void }[] = [];
  const throughput = new Throughput({
    countDated: (ws) =>
      new Promise((resolve, reject) => {
        counting.push({ ws, end: (failure) => (failure ? reject(failure) : resolve(1)) });
      }),
  });
  /** Until nothing more is counted. */
  const endAll = async () => {
    for (let ended = 0; ended < counting.length; await settled()) counting[ended++]?.end();
  };
  const perDay = (ws: string) => throughput.at(NOW).perDay({ ...RECEIVED, ws });
  return { counting, perDay, endAll };
}
const settled = () => new Promise((resolve) => setImmediate(resolve));

it('lets an answer wait for no other one', async () => {
  const { counting, perDay, endAll } = stalled();
  const answers = [perDay('many'), perDay('acme')];
  expect(counting.map(({ ws }) => ws)).toEqual(['many', 'many', 'acme', 'acme']);
  await endAll();
  expect(await Promise.all(answers)).toHaveLength(2);
});

it('counts nothing more for an answer that has failed, and all of it for another one that waits for its counts', async () => {
  const { counting, perDay, endAll } = stalled();
  const [failed, other] = [perDay('acme'), perDay('acme')];
  // The other one counts today itself.
  expect(counting).toHaveLength(3);
  counting[0]?.end(new Error('away'));
  await expect(failed).rejects.toThrow('away');
  await settled();
  // Two for the answer that failed, and two for the other one.
  expect(counting).toHaveLength(4);
  await endAll();
  expect(await other).toEqual(Array(DAYS).fill(1));
  // The second count of the answer that failed is one of them.
  expect(counting).toHaveLength(1 + DAYS);
});

it('begins with the day thirteen days ago', () => {
  const days = lastDays(NOW).map((day) => day.toISOString());
  expect([days[0], days.at(-1)]).toEqual(['2026-11-08T00:00:00.000Z', '2026-11-21T00:00:00.000Z']);
});
