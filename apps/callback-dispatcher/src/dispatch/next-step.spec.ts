import { nextStep, type DispatchTimes } from './next-step';
import type { Outcome } from './outcome';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const times: DispatchTimes = { tickMs: 15 * MINUTE, retryGapsMs: [15, 30, 60, 120].map((n) => n * MINUTE), giveUpAfterMs: 7 * DAY };
const at = (time: string) => new Date(`2026-11-21T${time}Z`);
const refused: Outcome = { kind: 'failed', reason: 'receiver', status: 503, durationMs: 1 };
const dueAfter = (outcome: Outcome, now: Date, failing: { tries?: number; failingSince?: Date } = {}) => {
  const step = nextStep(outcome, failing, now, times);
  return step.kind === 'retry' ? step.dueAt.toISOString().slice(11, 19) : step;
};

describe('after a failure', () => {
  it('the lane is due on a tick, after a gap that grows and then stays', () => {
    const now = at('12:00:03.000');
    const gaps = [undefined, 1, 2, 3, 4, 50].map((tries) => dueAfter(refused, now, tries === undefined ? {} : { tries, failingSince: now }));
    expect(gaps).toEqual(['12:15:00', '12:30:00', '13:00:00', '14:00:00', '14:00:00', '14:00:00']);
  });

  it('a try that began exactly on the tick is not repeated on the same one', () => { expect(dueAfter(refused, at('12:00:00.000'))).toBe('12:15:00'); });

  it('the first failure is noted, and each one counted', () => {
    const now = at('12:00:00.000');
    expect(nextStep(refused, {}, now, times)).toMatchObject({ failingSince: now, tries: 1 });
    const since = at('09:00:00.000');
    expect(nextStep(refused, { tries: 4, failingSince: since }, now, times)).toMatchObject({ failingSince: since, tries: 5 });
  });

  it('a longer wait that the receiver asks for is kept, up to the longest gap', () => {
    const ask = (retryAfter: string) => dueAfter({ ...refused, retryAfter }, at('12:00:03.000'));
    expect(ask('3000')).toBe('13:00:00');
    expect(ask('Sat, 21 Nov 2026 13:20:00 GMT')).toBe('13:30:00');
    expect(ask('864000')).toBe('14:00:00');
    expect(ask('9999999999')).toBe('14:00:00');
    for (const short of ['0', '1', 'soon', '-5', '', 'Sat, 21 Nov 2020 13:20:00 GMT']) expect(ask(short)).toBe('12:15:00');
  });

  it('a lane is tried once more when its time is over, and then given up', () => {
    const since = at('12:00:00.000');
    const late = new Date(since.getTime() + 7 * DAY - MINUTE);
    expect(nextStep(refused, { tries: 90, failingSince: since }, late, times)).toMatchObject({ kind: 'retry', dueAt: new Date(since.getTime() + 7 * DAY) });
    expect(nextStep(refused, { tries: 91, failingSince: since }, new Date(since.getTime() + 7 * DAY), times)).toEqual({ kind: 'give-up', reason: 'exhausted' });
  });
});

it('a receiver that is gone, and a key that is destroyed, end a lane at once', () => {
  for (const reason of ['gone', 'key-destroyed'] as const) expect(nextStep({ kind: 'failed', reason, durationMs: 0 }, {}, at('12:00:00.000'), times)).toEqual({ kind: 'give-up', reason });
});

it('a version that is not served makes its lane wait from tick to tick, however long, and counts as no failure', () => {
  const now = at('12:00:00.000');
  const since = new Date(now.getTime() - 8 * DAY);
  for (const failing of [{}, { tries: 3, failingSince: since }]) {
    expect(nextStep({ kind: 'failed', reason: 'version-not-served', durationMs: 0 }, failing, now, times)).toEqual({ kind: 'wait', dueAt: at('12:15:00.000') });
  }
});
