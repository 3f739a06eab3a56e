import { answerOf, type Archive } from './archive';

const now = new Date('2026-01-08T00:00:00Z');
const VALIDITY_MS = 7 * 86_400_000;
const archive = (change: Partial<Archive>): Archive => ({
  _id: 'ws:1',
  ws: 'ws',
  srid: '1',
  state: 'ready',
  tries: 0,
  build: 'b',
  kid: 'k',
  chunks: 1,
  bytes: 5,
  ...change,
});

describe('a results link', () => {
  it('is unknown without order, during the build, and if nothing matched', () => {
    expect(answerOf(undefined, now, VALIDITY_MS)).toBe(404);
    expect(answerOf(archive({ state: 'building' }), now, VALIDITY_MS)).toBe(404);
    expect(answerOf(archive({ state: 'empty' }), now, VALIDITY_MS)).toBe(404);
  });

  it('answers a ready archive, before the completion and within its validity', () => {
    expect(answerOf(archive({}), now, VALIDITY_MS)).toMatchObject({ build: 'b' });
    expect(answerOf(archive({ expiresAt: new Date(now.getTime() + 1) }), now, VALIDITY_MS)).toMatchObject({
      build: 'b',
    });
  });

  it.each(['ready', 'empty', 'building', 'forgotten'] as const)('is gone after its expiry, when %s', (state) => {
    expect(answerOf(archive({ state, expiresAt: now }), now, VALIDITY_MS)).toBe(410);
  });

  it.each(['ready', 'empty'] as const)(
    'expires a validity after its build without known completion, when %s, until a completion arrives',
    (state) => {
      const builtAt = new Date(now.getTime() - VALIDITY_MS);
      const later = new Date(builtAt.getTime() + 1);
      expect(answerOf(archive({ state, builtAt }), now, VALIDITY_MS)).toBe(410);
      expect(answerOf(archive({ state, builtAt: later }), now, VALIDITY_MS)).not.toBe(410);
      expect(answerOf(archive({ state, builtAt, expiresAt: later }), now, VALIDITY_MS)).toBe(410);
      expect(answerOf(archive({ state, builtAt, expiresAt: new Date(now.getTime() + 1) }), now, VALIDITY_MS)).not.toBe(
        410,
      );
    },
  );
});
