import { silentLogger } from '../logger/logger';
import { ManualClock } from '../clock';
import { DueWork } from './due-work';

interface Job {
  readonly ws: string;
  readonly srid: string;
  readonly tries: number;
}

const begin = new Date('2026-11-24T09:00:00Z');
const job: Job = { ws: 'w', srid: 's', tries: 2 };

function world(step: () => Promise<void>) {
  const clock = new ManualClock(begin);
  const due = [job];
  const postponed: [Job, Date][] = [];
  const store = {
    away: false,
    claimDue: () => Promise.resolve(due.splice(0)),
    reschedule: (one: Job, at: Date) => {
      if (store.away) return Promise.reject(new Error('away'));
      postponed.push([one, at]);
      return Promise.resolve(true);
    },
    nextDueAfter: () => Promise.resolve(undefined),
  };
  const work = new DueWork<Job>({ store, limit: 2, step, failureMessage: 'postponed' }, { clock, log: silentLogger });
  return { clock, postponed, store, work };
}

it('postpones an item that failed, longer each time', async () => {
  const { postponed, work } = world(() => Promise.reject(new Error('planted')));
  expect(await work.runOnce()).toBe(1);
  await work.idle();
  expect(postponed).toEqual([[job, new Date(begin.getTime() + 4_000)]]);
});

it('postpones it at the next run where an outage prevents that, to the same time', async () => {
  const { clock, postponed, store, work } = world(() => Promise.reject(new Error('planted')));
  store.away = true;
  await work.runOnce();
  await work.idle();
  await expect(work.runOnce()).rejects.toThrow('away');
  expect(postponed).toEqual([]);
  store.away = false;
  clock.advance(1_000);
  for (let run = 0; run < 2; run += 1) await work.runOnce();
  expect(postponed).toEqual([[job, new Date(begin.getTime() + 4_000)]]);
});
