import { outcomeOf, shownOutcome } from './outcome';

describe('an answer', () => {
  it.each([200, 201, 202, 204, 299])('of %i is success', (status) => {
    expect(outcomeOf(status, undefined, 5)).toEqual({ kind: 'delivered', status, durationMs: 5 });
  });
  it.each([301, 302, 307, 308, 304, 400, 401, 404, 429, 500, 503])(
    'of %i is a failure that is tried again',
    (status) => {
      expect(outcomeOf(status, '7', 5)).toEqual({
        kind: 'failed',
        reason: 'receiver',
        status,
        retryAfter: '7',
        durationMs: 5,
      });
    },
  );
  it('of 410 says that the receiver is gone', () => {
    expect(outcomeOf(410, undefined, 5)).toEqual({ kind: 'failed', reason: 'gone', status: 410, durationMs: 5 });
  });
});

describe('a controller', () => {
  it('sees the kind of a response and its duration', () => {
    expect(shownOutcome(outcomeOf(202, undefined, 5))).toEqual({
      outcome: 'delivered',
      httpStatus: 202,
      durationMs: 5,
    });
    expect(shownOutcome(outcomeOf(503, '7', 5))).toEqual({ outcome: 'rejected', httpStatus: 503, durationMs: 5 });
    expect(shownOutcome(outcomeOf(410, undefined, 5))).toEqual({ outcome: 'gone', httpStatus: 410, durationMs: 5 });
  });

  it.each(['address-refused', 'certificate', 'timeout', 'unreachable'] as const)(
    'cannot distinguish %s from other unreachable cases',
    (reason) => {
      expect(shownOutcome({ kind: 'failed', reason, status: 200, durationMs: 5 })).toEqual({ outcome: 'unreachable' });
    },
  );

  it.each(['not-built', 'key-destroyed', 'version-not-served'] as const)(
    'sees a postponed callback if nothing was sent: %s',
    (reason) => {
      expect(shownOutcome({ kind: 'failed', reason, durationMs: 0 })).toEqual({ outcome: 'postponed' });
    },
  );
});
