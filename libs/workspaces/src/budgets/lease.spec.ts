import { Lease } from './lease';

const granted = (tokens: number, untilMs = 10_000) => ({ state: { at: 0, taken: 0 }, tokens, untilMs, waitMs: 0 });
const none = (waitMs: number) => ({ state: undefined, tokens: 0, untilMs: 0, waitMs });

describe('a lease', () => {
  it('doubles each time that it was used up, as far as the largest', () => {
    const lease = new Lease(50);
    const sizes = Array.from({ length: 8 }, (_, now) => {
      const wanted = lease.wanted(now, 1);
      lease.take(granted(wanted), now);
      for (let n = 0; n < wanted; n++) expect(lease.spend(now)).toBe(true);
      expect(lease.spend(now)).toBe(false);
      return wanted;
    });
    expect(sizes).toEqual([1, 2, 4, 8, 16, 32, 50, 50]);
  });

  it('is small again after one that lapsed, so that a trickle through many processes loses little', () => {
    const lease = new Lease(50);
    lease.take(granted(40), 0);
    lease.spend(0);
    expect(lease.spend(10_000)).toBe(false);
    expect(lease.wanted(10_000, 1)).toBe(1);
  });

  it('is as large as the number of calls that wait for it', () => {
    expect(new Lease(50).wanted(0, 64)).toBe(64);
  });

  it('is asked for ahead of need, unless it is so small that this would hoard it', () => {
    const large = new Lease(50);
    large.take(granted(40), 0);
    for (let n = 0; n < 30; n++) large.spend(0);
    expect(large.isLow(0)).toBe(false);
    large.spend(0);
    expect([large.isLow(0), large.wanted(0, 0)]).toEqual([true, 41]);
    const small = new Lease(2);
    small.take(granted(2), 0);
    small.spend(0);
    expect(small.isLow(0)).toBe(false);
  });

  it.each([[12_000, 1_000], [400, 400], [3, 250]])('that was refused for %d ms is not asked for again for %d ms', (waitMs, recheckMs) => {
    const lease = new Lease(50);
    lease.take(none(waitMs), 0);
    expect(lease.waitMs(0)).toBe(waitMs);
    expect(lease.waitMs(recheckMs - 1)).toBe(Math.max(1, waitMs - recheckMs + 1));
    expect(lease.waitMs(recheckMs)).toBeUndefined();
    expect(lease.isLow(recheckMs - 1)).toBe(false);
  });

  it('keeps what comes back up to its largest, unless tokens are so few that other processes would miss them', () => {
    const lease = new Lease(2);
    lease.take(granted(1), 0);
    expect([lease.keep(0), lease.keep(0), lease.keep(10_000)]).toEqual([true, false, false]);
    expect([lease.surrender(0), lease.surrender(0)]).toEqual([2, 0]);
    const single = new Lease(1);
    single.take(granted(1), 0);
    single.spend(0);
    expect(single.keep(0)).toBe(false);
  });
});
