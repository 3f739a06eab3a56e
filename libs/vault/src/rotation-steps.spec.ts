import { KEY_CACHE_MS } from './key-cache-ms';
import { nextStep, passedRatio, type GenerationState } from './rotation-steps';

const DAY_MS = 86_400_000;
const turnedAt = new Date('2026-03-01T00:00:00Z');
const times = { everyMs: 7 * DAY_MS, keepMs: DAY_MS };
const after = (ms: number) => new Date(turnedAt.getTime() + ms);
const state = (change: Partial<GenerationState> = {}): GenerationState => ({
  ...{ current: 5, gone: 3, turnedAt, passes: 0 },
  ...change,
});

describe('the steps of a rotation', () => {
  it.each([
    ['a pass waits until no process acts on the old generation', state(), 0, after(KEY_CACHE_MS)],
    ['the first pass follows as soon as that is so', state(), KEY_CACHE_MS, 'pass'],
    ['the second pass waits for the end of the old secret', state({ passes: 1 }), DAY_MS - 1, after(DAY_MS)],
    ['the second pass comes before that end', state({ passes: 1 }), DAY_MS, 'pass'],
    ['the secret is destroyed after two passes', state({ passes: 2 }), DAY_MS, 'destroy'],
    ['the next turn waits for its time', state({ gone: 4, passes: 2 }), 7 * DAY_MS - 1, after(7 * DAY_MS)],
    ['the next turn comes at its time', state({ gone: 4, passes: 2 }), 7 * DAY_MS, 'turn'],
    ['there is no turn while an old secret is left', state({ passes: 1 }), 30 * DAY_MS, 'pass'],
  ] as const)('%s', (_rule, of, sinceMs, expected) => {
    const step = nextStep(of, after(sinceMs), times);
    expect(step.name === 'rest' ? step.until : step.name).toEqual(expected);
  });

  it('never destroys a secret sooner than caches end, however short it is kept', () => {
    const short = { everyMs: 2, keepMs: 1 };
    expect(nextStep(state({ passes: 2 }), after(KEY_CACHE_MS - 1), short)).toEqual({
      name: 'rest',
      until: after(KEY_CACHE_MS),
    });
  });

  it('show how far the two passes are', () => {
    const ratios = [
      passedRatio(state(), 0),
      passedRatio(state(), 0.5),
      passedRatio(state({ passes: 1 }), 0),
      passedRatio(state({ passes: 1 }), 0.5),
      passedRatio(state({ passes: 2 }), 0),
      passedRatio(state({ gone: 4 }), 0),
    ];
    expect(ratios).toEqual([0, 0.25, 0.5, 0.75, 1, 1]);
  });
});
