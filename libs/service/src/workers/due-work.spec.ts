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

function world(step: (of: Job) => Promise<void>) {
  const clock = new ManualClock(begin);
  const due = [job];
  const signalled: number[] = [];
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
    due: { due: (inMs = 0) => void signalled.push(inMs) },
  };
  const work = new DueWork<Job>({ store, limit: 2, step, failureMessage: 'postponed' }, { clock, log: silentLogger });
  return { clock, postponed, signalled, store, work };
}

it('postpones an item that failed, longer each time, and says when it is due again', async () => {
  const { postponed, signalled, work } = world(() => Promise.reject(new Error('planted')));
  expect(await work.runOnce()).toBe(1);
  await work.idle();
  expect(postponed).toEqual([[job, new Date(begin.getTime() + 4_000)]]);
  expect(signalled).toEqual([4_000]);
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

describe('new work', () => {
  const never = () => new Promise<void>(() => undefined);
  const storedAs = (srid: string) => () => Promise.resolve({ ...job, srid });

  it('runs right after it is stored, and only if it is new', async () => {
    const ran: string[] = [];
    const { work } = world(({ srid }) => Promise.resolve(void ran.push(srid)));
    expect(await work.startNew(storedAs('new'))).toBe(true);
    expect(await work.startNew(() => Promise.resolve(undefined))).toBe(true);
    await work.idle();
    expect(ran).toEqual(['new']);
  });

  it('is not stored where there is no room, counting what is being stored, or once the work is stopped', async () => {
    const stored: string[] = [];
    const { work } = world(never);
    const start = (srid: string) =>
      work.startNew(() => {
        stored.push(srid);
        return storedAs(srid)();
      });
    expect(await Promise.all(['a', 'b', 'c'].map(start))).toEqual([true, true, false]);
    expect(stored).toEqual(['a', 'b']);
    const { work: stopped } = world(never);
    await stopped.stop();
    expect(await stopped.startNew(storedAs('d'))).toBe(false);
  });

  it('takes no room if it could not be stored, and the error is that of the call', async () => {
    const { work } = world(never);
    const failing = () => work.startNew(() => Promise.reject(new Error('away')));
    for (let n = 0; n < 3; n += 1) await expect(failing()).rejects.toThrow('away');
    expect(await work.startNew(storedAs('a'))).toBe(true);
  });
});
