import {
  requestKey,
  type CallbackAttempted,
  type CallbackGivenUp,
  type CallbackQueued,
} from '@opendsr-service/contracts';
import type { Attempt, CallbackEvent, LedgerEntry, Standing } from './ledger-entry';

/** The last attempts are kept; all are counted. */
export const KEPT_ATTEMPTS = 50;
/** Ids of `CallbackGivenUp` that are recognised as repeats. */
const KEPT_GIVE_UPS = 50;
const VERSION_DIGITS = 10;

export const entryId = ({ ws, srid, destination, version }: CallbackEvent): string =>
  `${requestKey(ws, srid)}|${destination}|${String(version).padStart(VERSION_DIGITS, '0')}`;

const newEntry = (event: CallbackEvent): LedgerEntry => {
  const { ws, srid, destination, version, delivery, status } = event;
  return {
    _id: entryId(event),
    ws,
    srid,
    destination,
    version,
    delivery,
    status,
    standing: { state: 'waiting' },
    attemptCount: 0,
    attempts: [],
    rev: 0,
  };
};

type Change = Partial<LedgerEntry> | undefined;

/** A replay is dated later than the last queueing, so the time alone identifies a repeat. */
function queued({ queuedAt }: LedgerEntry, event: CallbackQueued): Change {
  const at = new Date(event.at);
  if (queuedAt !== undefined && at <= queuedAt) return undefined;
  return {
    queuedAt: at,
    standing: { state: 'waiting', nextAt: new Date(event.dueAt) },
    ...(!event.replay && { statusAt: at }),
  };
}

/** A failure without a next time waits for `CallbackGivenUp`, which carries the reason. */
function standingAfter({ outcome, nextAt }: CallbackAttempted): Standing {
  if (outcome === 'delivered') return { state: 'delivered' };
  if (outcome === 'gone') return { state: 'given_up', reason: 'gone' };
  return { state: 'waiting', ...(nextAt !== undefined && { nextAt: new Date(nextAt) }) };
}

function attemptOf({ attempt, at, outcome, httpStatus, durationMs }: CallbackAttempted): Attempt {
  const isAnswered = outcome !== 'unreachable' && outcome !== 'postponed';
  return {
    attempt,
    at: new Date(at),
    outcome,
    ...(isAnswered && {
      ...(httpStatus !== undefined && { httpStatus }),
      ...(durationMs !== undefined && { durationMs }),
    }),
  };
}

function attempted({ attemptCount, attempts }: LedgerEntry, event: CallbackAttempted): Change {
  if (event.attempt <= attemptCount) return undefined;
  return {
    attemptCount: event.attempt,
    attempts: [...attempts, attemptOf(event)].slice(-KEPT_ATTEMPTS),
    standing: standingAfter(event),
  };
}

function givenUp({ givenUps = [] }: LedgerEntry, { id, reason }: CallbackGivenUp): Change {
  return givenUps.includes(id)
    ? undefined
    : { givenUps: [...givenUps, id].slice(-KEPT_GIVE_UPS), standing: { state: 'given_up', reason } };
}

function changeBy(entry: LedgerEntry, event: CallbackEvent): Change {
  if (event.type === 'CallbackQueued') return queued(entry, event);
  return event.type === 'CallbackAttempted' ? attempted(entry, event) : givenUp(entry, event);
}

/** Returns the same entry for a repeated event. Events of one callback arrive in order, at least once. */
export function foldCallback(entry: LedgerEntry | undefined, event: CallbackEvent): LedgerEntry {
  const known = entry ?? newEntry(event);
  const change = changeBy(known, event);
  return change ? { ...known, ...change, rev: known.rev + 1 } : known;
}
