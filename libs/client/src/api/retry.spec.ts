import { RETRY_DEFAULTS as rules, waitBeforeRetry, type TryOutcome } from './retry';

const wait = (outcome: Partial<TryOutcome>, more: { attempt?: number; idempotent?: boolean; chance?: number } = {}) =>
  waitBeforeRetry(
    { status: undefined, retryAfterMs: undefined, ...outcome },
    { rules, attempt: 1, idempotent: true, chance: 0, ...more },
  );

it('follows the Retry-After of 429 for any call', () => {
  expect(wait({ status: 429, retryAfterMs: 7_000 }, { idempotent: false })).toBe(7_000);
});

it.each([429, 502, 503])(
  'never retries after %d before its Retry-After, and not at all if that is too long',
  (status) => {
    expect(wait({ status, retryAfterMs: rules.maxRetryAfterMs })).toBe(rules.maxRetryAfterMs);
    expect(wait({ status, retryAfterMs: rules.maxRetryAfterMs + 1 })).toBeUndefined();
  },
);

it('doubles the gap between tries up to its limit, half of it random', () => {
  expect([1, 2, 3, 4].map((attempt) => wait({ status: 502 }, { attempt, chance: 1 }))).toEqual([
    250, 500, 1_000, 2_000,
  ]);
  expect(wait({ status: 502 }, { attempt: 3 })).toBe(500);
  expect(
    waitBeforeRetry(
      { status: 502, retryAfterMs: undefined },
      { rules: { ...rules, maxAttempts: 50 }, attempt: 40, idempotent: true, chance: 1 },
    ),
  ).toBe(rules.maxGapMs);
});

it.each([undefined, 408, 500, 502, 503, 504, 507, 520, 599])(
  'retries after %s only what is safe to repeat',
  (status) => {
    expect(wait({ status })).toBeDefined();
    expect(wait({ status }, { idempotent: false })).toBeUndefined();
  },
);

it.each([200, 201, 301, 400, 401, 403, 404, 409, 410, 413, 501, 505])(
  'does not retry after %d, with any Retry-After',
  (status) => {
    expect(wait({ status, retryAfterMs: 1_000 })).toBeUndefined();
  },
);

it('ends after the last try', () => {
  expect(wait({ status: 429, retryAfterMs: 1 }, { attempt: rules.maxAttempts })).toBeUndefined();
});
