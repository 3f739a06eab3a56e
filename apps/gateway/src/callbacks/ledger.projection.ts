import { deliveryEvents, TOPICS } from '@opendsr-service/contracts';
import { decodeValid, type Projection } from '@opendsr-service/replay';
import { LedgerStore } from './ledger.store';
import { KEPT_ATTEMPTS } from './fold-callback';
import type { LedgerEntry } from './ledger-entry';

export const ledgerProjection: Projection<LedgerEntry> = {
  name: 'gateway-callbacks',
  database: 'gateway',
  collection: 'callbacks',
  topics: [TOPICS.deliveryEvents.name],
  changingFields: ['rev'] satisfies (keyof LedgerEntry)[],
  startFold: (scratch) => {
    const store = new LedgerStore(scratch);
    return Promise.resolve(async (records) => {
      const events = decodeValid(deliveryEvents, records);
      await store.applyEvents(events.filter((event) => event.type !== 'DestinationSettled'));
    });
  },
  facts: ({ delivery, status, statusAt, standing, attemptCount, attempts, queuedAt }) => ({
    delivery,
    status,
    statusAt,
    standing,
    attemptCount,
    attempts,
    queuedAt,
  }),
  merge: (present, folded) => (present ? entryFromLog(present, folded) : folded),
  isBeyond: (present, folded) =>
    present.attemptCount > folded.attemptCount || timeOf(present.queuedAt) > timeOf(folded.queuedAt),
  mayPrecede: ({ statusAt }, since) => statusAt === undefined || statusAt < since,
};

/** Keeps from the database what the log no longer holds. */
function entryFromLog(present: LedgerEntry, folded: LedgerEntry): LedgerEntry {
  const rev = present.rev + 1;
  if (folded.statusAt) return { ...folded, rev };
  const [first] = folded.attempts;
  const earlier = first ? present.attempts.filter(({ attempt }) => attempt < first.attempt) : present.attempts;
  const { statusAt, queuedAt = folded.queuedAt, givenUps = folded.givenUps } = present;
  return {
    ...folded,
    ...(statusAt && { statusAt }),
    ...(queuedAt && { queuedAt: new Date(Math.max(timeOf(queuedAt), timeOf(folded.queuedAt))) }),
    ...(givenUps && { givenUps: [...new Set([...givenUps, ...(folded.givenUps ?? [])])] }),
    attemptCount: Math.max(present.attemptCount, folded.attemptCount),
    attempts: [...earlier, ...folded.attempts].slice(-KEPT_ATTEMPTS),
    rev,
  };
}

const timeOf = (time: Date | undefined): number => time?.getTime() ?? 0;
