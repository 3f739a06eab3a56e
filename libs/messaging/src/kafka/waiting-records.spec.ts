import { WaitingRecords } from './waiting-records';

describe('the bounded queue of the publisher', () => {
  let nowMs = 0;
  const fresh = () => new WaitingRecords({ maxRecords: 10, maxBytes: 100, refuseAfterMs: 1_000 }, () => nowMs);

  it('refuses a batch beyond its limit of records or bytes', () => {
    const waiting = fresh();
    waiting.admit(8, 10);
    expect(() => waiting.admit(3, 10)).toThrow('too many records wait');
    expect(() => waiting.admit(1, 95)).toThrow('too many records wait');
    waiting.acknowledged(8, 10);
    waiting.admit(3, 95);
  });

  it('admits a batch of any size when nothing waits, otherwise it could never be sent', () => {
    const waiting = fresh();
    waiting.admit(50, 500);
    expect(waiting.count).toBe(50);
  });

  it('refuses while records wait and nothing was acknowledged for a second, and admits after the next acknowledgement', () => {
    const waiting = fresh();
    waiting.admit(2, 2);
    nowMs += 999;
    expect(waiting.progressing).toBe(true);
    nowMs += 1;
    expect(waiting.progressing).toBe(false);
    expect(() => waiting.admit(1, 1)).toThrow('the log is away');
    waiting.acknowledged(1, 1);
    expect(waiting.progressing).toBe(true);
    waiting.admit(1, 1);
  });

  it('does not take idleness for an outage', () => {
    const waiting = fresh();
    nowMs += 60_000;
    waiting.admit(1, 1);
    expect(waiting.progressing).toBe(true);
  });
});
