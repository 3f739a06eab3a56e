import { spreadOf } from '../destinations/tick';
import { nextStep, type DispatchTimes } from './next-step';
import type { TryOutcome } from './outcome';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const times: DispatchTimes = {
  tickMs: 15 * MINUTE,
  spreadMs: 0,
  retryGapsMs: [15, 30, 60, 120].map((n) => n * MINUTE),
  giveUpAfterMs: 7 * DAY,
};
const at = (time: string) => new Date(`2026-11-21T${time}Z`);
const refused: TryOutcome = { kind: 'failed', reason: 'receiver', status: 503, durationMs: 1 };
const _id = 'acme:1|destination';
const dueAfter = (outcome: TryOutcome, now: Date, failing: { tries?: number; failingSince?: Date } = {}) => {
  const step = nextStep(outcome, { _id, ...failing }, now, times);
  return step.kind === 'retry' ? step.dueAt.toISOString().slice(11, 19) : step;
};

describe('after a failure', () => {
  const now = at('12:00:03.000');
  const ticksAfter = (destination: string, tries: number, more: Partial<DispatchTimes> = {}) => {
    const step = nextStep(refused, { _id: destination, tries, failingSince: now }, now, { ...times, ...more });
    return step.kind === 'retry' ? (step.dueAt.getTime() - at('12:00:00.000').getTime()) / (15 * MINUTE) : NaN;
  };
  const destinations = Array.from({ length: 200 }, (_, n) => `acme:${n}|destination`);

  it('the destination is due on a tick, after a gap that grows to a maximum, shortened by up to a quarter', () => {
    const gaps = [0, 1, 2, 3, 4, 50].map((tries) =>
      [...new Set(destinations.map((destination) => ticksAfter(destination, tries)))].sort(),
    );
    expect(gaps).toEqual([[1], [2], [3, 4], [6, 7, 8], [6, 7, 8], [6, 7, 8]]);
  });

  it('destinations that failed together are due at different ticks, each at the same one on any process', () => {
    const after = () => destinations.map((destination) => ticksAfter(destination, 3));
    expect(new Set(after())).toEqual(new Set([6, 7, 8]));
    expect(after()).toEqual(after());
  });

  it('the destination keeps its own offset after the tick', () => {
    const spreadMs = MINUTE;
    for (const destination of destinations)
      expect(ticksAfter(destination, 0, { spreadMs })).toBeCloseTo(
        (spreadOf(destination, spreadMs) <= 3_000 ? 1 : 0) + spreadOf(destination, spreadMs) / (15 * MINUTE),
        9,
      );
  });

  it('an attempt that began exactly on a tick is not repeated on it', () => {
    expect(dueAfter(refused, at('12:00:00.000'))).toBe('12:15:00');
  });

  it('the time of the first failure is kept, and each failure is counted', () => {
    const now = at('12:00:00.000');
    expect(nextStep(refused, { _id }, now, times)).toMatchObject({ failingSince: now, tries: 1 });
    const since = at('09:00:00.000');
    expect(nextStep(refused, { _id, tries: 4, failingSince: since }, now, times)).toMatchObject({
      failingSince: since,
      tries: 5,
    });
  });

  it('a longer wait that the receiver asks for is kept, up to the longest gap', () => {
    const ask = (retryAfter: string) => dueAfter({ ...refused, retryAfter }, at('12:00:03.000'));
    expect(ask('3000')).toBe('13:00:00');
    expect(ask('Sat, 21 Nov 2026 13:20:00 GMT')).toBe('13:30:00');
    expect(ask('864000')).toBe('14:00:00');
    expect(ask('9999999999')).toBe('14:00:00');
    for (const short of ['0', '1', 'soon', '-5', '', 'Sat, 21 Nov 2020 13:20:00 GMT'])
      expect(ask(short)).toBe('12:15:00');
  });

  it('a destination is tried once more when its time is over, and then given up', () => {
    const since = at('12:00:00.000');
    const late = new Date(since.getTime() + 7 * DAY - MINUTE);
    expect(nextStep(refused, { _id, tries: 90, failingSince: since }, late, times)).toMatchObject({
      kind: 'retry',
      dueAt: new Date(since.getTime() + 7 * DAY),
    });
    expect(
      nextStep(refused, { _id, tries: 91, failingSince: since }, new Date(since.getTime() + 7 * DAY), times),
    ).toEqual({ kind: 'give-up', reason: 'exhausted' });
  });
});

it('a receiver that is gone, and a key that is destroyed, end a destination at once', () => {
  for (const reason of ['gone', 'key-destroyed'] as const)
    expect(nextStep({ kind: 'failed', reason, durationMs: 0 }, { _id }, at('12:00:00.000'), times)).toEqual({
      kind: 'give-up',
      reason,
    });
});

it('a version that is not served makes its destination wait the longest gap, and counts as no failure', () => {
  const now = at('12:00:00.000');
  const since = new Date(now.getTime() - 8 * DAY);
  for (const failing of [{}, { tries: 3, failingSince: since }]) {
    expect(
      nextStep({ kind: 'failed', reason: 'version-not-served', durationMs: 0 }, { _id, ...failing }, now, times),
    ).toEqual({ kind: 'wait', dueAt: at('14:00:00.000') });
  }
});
