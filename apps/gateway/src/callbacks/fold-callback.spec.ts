import { callbackEvents, second } from '../testing/callback-events';
import { foldCallback, KEPT_ATTEMPTS } from './fold-callback';
import type { CallbackEvent, LedgerEntry } from './ledger-entry';

const { delivery, queued, attempted, givenUp, nextAt } = callbackEvents({
  ws: 'acme',
  srid: '475974fa-6b42-4370-bb56-b5d845686bb5',
  destination: 'destination-1',
  version: 2,
  status: 'in_progress',
});
const fold = (events: readonly CallbackEvent[], from?: LedgerEntry): LedgerEntry =>
  events.reduce<LedgerEntry | undefined>(foldCallback, from) as LedgerEntry;

const failed = attempted(1, 16, 'rejected', { httpStatus: 503, durationMs: 38, nextAt: nextAt(30) });
const delivered = attempted(2, 31, 'delivered', { httpStatus: 202, durationMs: 41 });
const replayed = queued(100, 105, true);
const again = attempted(3, 106, 'gone', { httpStatus: 410, durationMs: 9 });
const life = [queued(0, 15), failed, delivered, replayed, again, givenUp(106, 'gone')];

it('an entry of a queued callback has its request, destination, status time and next attempt', () => {
  expect(fold([queued(0, 15)])).toEqual({
    _id: 'acme:475974fa-6b42-4370-bb56-b5d845686bb5|destination-1|0000000002',
    ws: 'acme',
    srid: '475974fa-6b42-4370-bb56-b5d845686bb5',
    destination: 'destination-1',
    version: 2,
    delivery,
    status: 'in_progress',
    statusAt: second(0),
    queuedAt: second(0),
    standing: { state: 'waiting', nextAt: second(15) },
    attemptCount: 0,
    attempts: [],
    rev: 1,
  });
});

it('an entry waits for the next attempt after a failure, and for none after a delivery', () => {
  const tried = { attempt: 1, at: second(16), outcome: 'rejected', httpStatus: 503, durationMs: 38 };
  expect(fold(life.slice(0, 2))).toMatchObject({
    standing: { state: 'waiting', nextAt: second(30) },
    attemptCount: 1,
    attempts: [tried],
  });
  expect(fold(life.slice(0, 3))).toMatchObject({
    standing: { state: 'delivered' },
    attemptCount: 2,
    attempts: [tried, { attempt: 2, at: second(31), outcome: 'delivered', httpStatus: 202, durationMs: 41 }],
  });
});

it('an entry waits again once a replay is queued, and keeps its status time', () => {
  expect(fold(life.slice(0, 4))).toMatchObject({
    standing: { state: 'waiting', nextAt: second(105) },
    statusAt: second(0),
    attemptCount: 2,
  });
});

it.each(['gone', 'exhausted', 'key-destroyed'] as const)(
  'an entry is given up as %s, also without an attempt',
  (reason) => {
    expect(fold([queued(0, 15), givenUp(16, reason)])).toMatchObject({
      standing: { state: 'given_up', reason },
      attemptCount: 0,
    });
  },
);

it('an entry applies each CallbackGivenUp once, regardless of the clock of its dispatcher', () => {
  const [ahead, behind] = [givenUp(500, 'exhausted'), givenUp(10, 'key-destroyed')];
  const end = fold([queued(0, 15), ahead, replayed, behind]);
  expect(end.standing).toEqual({ state: 'given_up', reason: 'key-destroyed' });
  const waiting = fold([queued(200, 205, true)], end);
  for (const event of [ahead, behind]) expect(foldCallback(waiting, event)).toBe(waiting);
});

it('an entry remembers at most fifty CallbackGivenUp events', () => {
  const rounds = Array.from({ length: 60 }, (_, n) => [
    queued(10 * n, 10 * n + 5, n > 0),
    givenUp(10 * n + 6, 'exhausted'),
  ]).flat();
  expect(fold(rounds)).toMatchObject({ standing: { state: 'given_up' }, givenUps: { length: 50 } });
});

it('an entry is given up by an attempt answered 410, also before CallbackGivenUp comes', () => {
  expect(fold(life.slice(0, 5)).standing).toEqual({ state: 'given_up', reason: 'gone' });
});

it('an entry waits without a time between its last attempt and CallbackGivenUp', () => {
  expect(fold([queued(0, 15), attempted(1, 16, 'rejected')]).standing).toEqual({ state: 'waiting' });
});

it.each(['unreachable', 'postponed'] as const)(
  'an entry shows only the outcome %s of such an attempt: a controller learns no reason',
  (outcome) => {
    expect(
      fold([attempted(1, 16, outcome, { httpStatus: 502, durationMs: 9_999, nextAt: nextAt(30) })]).attempts,
    ).toEqual([{ attempt: 1, at: second(16), outcome }]);
  },
);

it('a repeated event changes nothing, also after all other events', () => {
  const end = fold(life);
  for (const event of life) expect(foldCallback(end, event)).toBe(end);
  for (let length = 1; length <= life.length; length += 1) {
    const known = fold(life.slice(0, length));
    for (const event of life.slice(0, length)) expect(foldCallback(known, event)).toBe(known);
    expect(fold(life, known)).toEqual(end);
  }
});

it('an entry keeps only the latest attempts, and counts all of them', () => {
  const tries = Array.from({ length: KEPT_ATTEMPTS + 10 }, (_, n) =>
    attempted(n + 1, n, 'unreachable', { nextAt: nextAt(n + 1) }),
  );
  const entry = fold([queued(0, 0), ...tries]);
  expect([
    entry.attemptCount,
    entry.attempts.length,
    entry.attempts[0]?.attempt,
    entry.attempts.at(-1)?.attempt,
  ]).toEqual([60, 50, 11, 60]);
});

it('an entry that begins with a later event has its state, but no status time', () => {
  const entry = fold([attempted(3, 16, 'delivered')]);
  expect(entry).toMatchObject({ standing: { state: 'delivered' }, attemptCount: 3 });
  expect(entry).not.toHaveProperty('statusAt');
  expect(fold([queued(100, 105, true)])).not.toHaveProperty('statusAt');
});
