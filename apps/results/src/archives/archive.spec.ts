import { answerOf, type Archive } from './archive';

const now = new Date('2026-01-08T00:00:00Z');
const archive = (change: Partial<Archive>): Archive => ({ _id: 'ws:1', ws: 'ws', srid: '1', state: 'ready', tries: 0, build: 'b', kid: 'k', chunks: 1, bytes: 5, ...change });

describe('a results link', () => {
  it('is unknown where nothing was asked for, while it is built, and where nothing matched', () => {
    expect(answerOf(undefined, now)).toBe(404);
    expect(answerOf(archive({ state: 'building' }), now)).toBe(404);
    expect(answerOf(archive({ state: 'empty' }), now)).toBe(404);
  });

  it('answers what is ready, before the request is complete and within its validity', () => {
    expect(answerOf(archive({}), now)).toMatchObject({ build: 'b' });
    expect(answerOf(archive({ expiresAt: new Date(now.getTime() + 1) }), now)).toMatchObject({ build: 'b' });
  });

  it.each(['ready', 'empty', 'building', 'forgotten'] as const)('is gone from its expiry on, when %s', (state) => {
    expect(answerOf(archive({ state, expiresAt: now }), now)).toBe(410);
  });
});
