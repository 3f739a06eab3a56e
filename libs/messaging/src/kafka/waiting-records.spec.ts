import { PublishRefused } from '../errors';
import { WaitingRecords } from './waiting-records';

const refused = (admit: () => void): boolean => {
  try {
    admit();
    return false;
  } catch (error) {
    return error instanceof PublishRefused;
  }
};

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
    waiting.admit(1, 1);
    expect(() => waiting.admit(1, 1)).toThrow('the log is away');
    waiting.acknowledged(1, 1);
    expect(waiting.progressing).toBe(true);
    waiting.admit(1, 1);
  });

  it('admits one batch a second as a trial without progress', () => {
    const waiting = fresh();
    waiting.admit(1, 1);
    for (let second = 0; second < 3; second += 1) {
      nowMs += 1_000;
      waiting.admit(1, 1);
      expect([waiting.progressing, refused(() => waiting.admit(1, 1))]).toEqual([false, true]);
    }
  });

  it('takes one partition that acknowledges nothing for no outage once another one does', () => {
    const waiting = fresh();
    waiting.admit(1, 1);
    nowMs += 1_000;
    waiting.admit(1, 1);
    waiting.acknowledged(1, 1);
    nowMs += 60_000;
    expect([waiting.count, waiting.progressing]).toEqual([1, true]);
    waiting.admit(1, 1);
    nowMs += 1_000;
    expect(waiting.progressing).toBe(false);
  });

  it('does not take idleness for an outage', () => {
    const waiting = fresh();
    nowMs += 60_000;
    waiting.admit(1, 1);
    expect(waiting.progressing).toBe(true);
  });
});
