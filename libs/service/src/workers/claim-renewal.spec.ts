import { ManualClock } from '../clock';
import { ClaimLost, ClaimRenewal } from './claim-renewal';

const LEASE_MS = 60_000;
const begin = new Date('2026-11-21T09:00:00Z');
const after = (ms: number) => new Date(begin.getTime() + ms);

function claimed(holds: () => boolean, heldUntil: Date | undefined) {
  const clock = new ManualClock(begin);
  const extended: Date[] = [];
  const extend = (until: Date) => {
    extended.push(until);
    return Promise.resolve(holds());
  };
  return { clock, extended, lease: new ClaimRenewal({ leaseMs: LEASE_MS, heldUntil, renew: extend }, clock) };
}

describe('a claim on long work', () => {
  it('is extended each time half of it is over, and not before', async () => {
    const { clock, extended, lease } = claimed(() => true, after(LEASE_MS));
    clock.advance(LEASE_MS / 2 - 1);
    await lease.renew();
    expect(extended).toEqual([]);
    clock.advance(1);
    await lease.renew();
    await lease.renew();
    expect(extended).toEqual([after(1.5 * LEASE_MS)]);
    clock.advance(LEASE_MS / 2);
    await lease.renew();
    expect(extended).toHaveLength(2);
  });

  it('once lost stays lost, and is asked for no more', async () => {
    const { clock, extended, lease } = claimed(() => false, after(LEASE_MS));
    clock.advance(LEASE_MS);
    await expect(lease.renew()).rejects.toThrow(ClaimLost);
    await expect(lease.renew()).rejects.toThrow(ClaimLost);
    expect(extended).toHaveLength(1);
  });

  it('is extended at once where its end is unknown', async () => {
    const { extended, lease } = claimed(() => true, undefined);
    await lease.renew();
    expect(extended).toEqual([after(LEASE_MS)]);
  });

  it('keeps no process alive by itself while the work waits', async () => {
    const { lease } = claimed(() => true, undefined);
    const timers = () => process.getActiveResourcesInfo().filter((one) => one === 'Timeout').length;
    const work = Promise.withResolvers<string>();
    const before = timers();
    const during = lease.renewWhile(work.promise, LEASE_MS);
    expect(timers()).toBe(before);
    work.resolve('done');
    expect(await during).toBe('done');
  });
});
