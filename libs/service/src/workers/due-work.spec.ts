import { silentLogger } from '../logger/logger';
import { until } from '@opendsr-service/messaging/testing';
import { ManualClock } from '../clock';
import type { ClaimRenewal } from './claim-renewal';
import { DueSignal } from './due-signal';
import { DueWork } from './due-work';

interface Job {
  readonly ws: string;
  readonly srid: string;
  readonly tries: number;
  readonly dueAt: Date;
}

const LEASE_MS = 60_000;
const begin = new Date('2026-11-24T09:00:00Z');
const job: Job = { ws: 'w', srid: 's', tries: 2, dueAt: new Date(begin.getTime() + LEASE_MS) };

function world(step: (of: Job, lease: ClaimRenewal) => Promise<void>) {
  const clock = new ManualClock(begin);
  const due = [job];
  const signalled: number[] = [];
  const postponed: [Job, Date][] = [];
  const renewed: [Job, Date][] = [];
  const store = {
    away: false,
    leaseMs: LEASE_MS,
    claimDue: () => Promise.resolve(due.splice(0)),
    reschedule: (one: Job, at: Date) => {
      if (store.away) return Promise.reject(new Error('away'));
      postponed.push([one, at]);
      return Promise.resolve(true);
    },
    nextDueAfter: () => Promise.resolve(undefined),
    renew: (one: Job, until: Date) => {
      renewed.push([one, until]);
      return Promise.resolve(true);
    },
    due: new DueSignal(),
  };
  store.due.subscribe((inMs) => signalled.push(inMs));
  const work = new DueWork<Job>(
    { store, limit: 2, renewEveryMs: 1, step, failureMessage: 'postponed' },
    { clock, log: silentLogger },
  );
  return { clock, postponed, renewed, signalled, store, work };
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

it('keeps the claim of an item while it is handled, whatever it waits for', async () => {
  const { promise: waits, resolve: end } = Promise.withResolvers<void>();
  const { clock, renewed, work } = world(() => waits);
  await work.runOnce();
  clock.advance(LEASE_MS / 2);
  await until(() => renewed.length > 0);
  end();
  await work.idle();
  expect(renewed).toEqual([[job, new Date(begin.getTime() + LEASE_MS * 1.5)]]);
});

it('hands a step its lease, which says when the claim is lost', async () => {
  const { postponed, store, clock, work } = world(async (_, lease) => {
    clock.advance(LEASE_MS);
    await lease.renew();
  });
  store.renew = () => Promise.resolve(false);
  await work.runOnce();
  await work.idle();
  expect(postponed).toHaveLength(1);
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
