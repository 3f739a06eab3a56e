import { TokenLease } from './token-lease';

const granted = (tokens: number, untilMs = 10_000) => ({
  state: { at: 0, taken: 0 },
  tokens,
  period: 0,
  untilMs,
  waitMs: 0,
});
const none = (waitMs: number) => ({ state: undefined, tokens: 0, period: 0, untilMs: 0, waitMs });

describe('a lease', () => {
  it('doubles each time that it was used up, to the largest', () => {
    const lease = new TokenLease(50);
    const sizes = Array.from({ length: 8 }, (_, now) => {
      const wanted = lease.tokensWanted(now, 1);
      lease.applyGrant(granted(wanted), now);
      for (let n = 0; n < wanted; n++) expect(lease.spend(now)).toBe(true);
      expect(lease.spend(now)).toBe(false);
      return wanted;
    });
    expect(sizes).toEqual([1, 2, 4, 8, 16, 32, 50, 50]);
  });

  it('is small again after one that lapsed, so that few calls through many processes lose little', () => {
    const lease = new TokenLease(50);
    lease.applyGrant(granted(40), 0);
    lease.spend(0);
    expect(lease.spend(10_000)).toBe(false);
    expect(lease.tokensWanted(10_000, 1)).toBe(1);
  });

  it('is as large as the number of calls that wait for it', () => {
    const lease = new TokenLease(4);
    expect(lease.tokensWanted(0, 64)).toBe(64);
    lease.applyGrant(granted(64), 0);
    for (let n = 0; n < 64; n++) lease.spend(0);
    // At most its largest is held ahead, so none now.
    expect([lease.isLow(0), lease.tokensWanted(0, 1)]).toEqual([false, 4]);
  });

  it('is requested ahead of need, unless it is small', () => {
    const large = new TokenLease(50);
    large.applyGrant(granted(40), 0);
    for (let n = 0; n < 30; n++) large.spend(0);
    expect(large.isLow(0)).toBe(false);
    large.spend(0);
    expect([large.isLow(0), large.tokensWanted(0, 0)]).toEqual([true, 41]);
    const small = new TokenLease(2);
    small.applyGrant(granted(2), 0);
    small.spend(0);
    expect(small.isLow(0)).toBe(false);
  });

  it.each([
    [12_000, 1_000],
    [400, 400],
    [3, 250],
  ])('that was refused for %d ms is not requested again for %d ms', (waitMs, recheckMs) => {
    const lease = new TokenLease(50);
    lease.applyGrant(none(waitMs), 0);
    expect(lease.waitMs(0)).toBe(waitMs);
    expect(lease.waitMs(recheckMs - 1)).toBe(Math.max(1, waitMs - recheckMs + 1));
    expect(lease.waitMs(recheckMs)).toBeUndefined();
    expect(lease.isLow(recheckMs - 1)).toBe(false);
  });

  it('keeps returned tokens up to its largest, unless tokens are so few that other processes need them', () => {
    const lease = new TokenLease(2);
    lease.applyGrant(granted(1), 0);
    expect([lease.returnToken(0, 0), lease.returnToken(0, 0), lease.returnToken(0, 10_000)]).toEqual([
      true,
      false,
      false,
    ]);
    expect([lease.drain(0), lease.drain(0)]).toEqual([2, 0]);
    const single = new TokenLease(1);
    single.applyGrant(granted(1), 0);
    single.spend(0);
    expect(single.returnToken(0, 0)).toBe(false);
  });

  it('wants no further tokens once it was drained', () => {
    const lease = new TokenLease(50);
    lease.applyGrant(granted(40), 0);
    expect([lease.drain(0), lease.tokensWanted(0, 0), lease.tokensWanted(0, 1)]).toEqual([40, 0, 1]);
  });

  it('does not mix tokens of two periods', () => {
    const lease = new TokenLease(50);
    lease.applyGrant(granted(40), 0);
    lease.applyGrant({ ...granted(8), period: 1 }, 0);
    expect([lease.returnToken(0, 0), lease.returnToken(1, 0)]).toEqual([false, true]);
    expect([lease.period, lease.drain(0)]).toEqual([1, 9]);
  });

  it('ignores a refusal from a later time after the clock was set back', () => {
    const lease = new TokenLease(50);
    lease.applyGrant(none(12_000), 5_000);
    expect(lease.waitMs(4_999)).toBeUndefined();
  });
});
