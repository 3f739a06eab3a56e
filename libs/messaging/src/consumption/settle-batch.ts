import { LaterMessage, MalformedMessage } from '@opendsr-service/contracts';
import { setTimeout as delay } from 'node:timers/promises';
import { isLogAway, PublishRefused } from '../errors';
import type { ConsumeOptions, MessagingLogger } from '../port';
import { holdsBack } from '../records';
import type { LogRecord, Verdict } from '../records';
import { followsParked } from './parking';
import { CHUNK_MS } from './chunk-sizer';
import { reportSkips } from './report-skips';
import { silentLogger } from './silent-logger';

export type BatchHandling = Pick<
  ConsumeOptions,
  'group' | 'handle' | 'parking' | 'isInfrastructureError' | 'onSkipped'
> & { readonly logger: MessagingLogger };

/** How the records of a consumer are handled. */
export const handlingOf = (options: Omit<BatchHandling, 'logger'> & Pick<ConsumeOptions, 'logger'>): BatchHandling => ({
  ...options,
  handle: (records) => options.handle(records),
  logger: options.logger ?? silentLogger,
});

type RecordHandling = Pick<BatchHandling, 'handle' | 'isInfrastructureError'>;

/** The first `settled` records may be committed. With `fault` the rest waits, otherwise it is handed out again. */
export interface Settlement {
  readonly settled: number;
  readonly fault?: unknown;
}

const tries = 3;
const tryAgainMs = 50;
const mismatch = 'verdicts-do-not-match-records';

class VerdictMismatch extends Error {
  override readonly name = 'VerdictMismatch';
}

/** No fault of the record that was handled: an operator makes the topic. */
const isTopicMissing = (error: unknown): boolean => error instanceof PublishRefused && error.reason === 'unknown-topic';

/** Checks wrapped errors too; a log that is away always counts. */
function isInfrastructureFault(error: unknown, rules: RecordHandling): boolean {
  for (let cause = error, depth = 0; cause !== undefined && depth < 6; depth++) {
    if (isLogAway(cause) || isTopicMissing(cause) || rules.isInfrastructureError(cause)) return true;
    cause = cause instanceof Error ? cause.cause : undefined;
  }
  return false;
}

async function call(records: readonly LogRecord[], rules: RecordHandling): Promise<readonly Verdict[]> {
  const verdicts = await rules.handle(records);
  if ((verdicts as readonly Verdict[] | undefined)?.length !== records.length) throw new VerdictMismatch(mismatch);
  return verdicts;
}

/** An error message may quote personal data: only the class is kept. */
function reasonOf(error: unknown): string {
  if (error instanceof VerdictMismatch) return mismatch;
  const name = error instanceof Error ? error.name : typeof error;
  return `failed:${/^\w{1,60}$/.test(name) ? name : 'Error'}`;
}

/** Handles one record with the three attempts of decision 6. Throws infrastructure errors only. */
export async function handleSingle(record: LogRecord, rules: RecordHandling): Promise<Verdict> {
  for (let attempt = 1; ; attempt++) {
    try {
      const [verdict] = await call([record], rules);
      if (verdict === undefined || verdict === 'again') throw new VerdictMismatch(mismatch);
      return verdict;
    } catch (error) {
      if (isInfrastructureFault(error, rules)) throw error;
      if (error instanceof LaterMessage) return 'later-version';
      if (error instanceof MalformedMessage) return { park: error.reason };
      if (attempt === tries) return { park: reasonOf(error) };
      await delay(attempt * tryAgainMs);
    }
  }
}

/**
 * Applies decision 6 to a batch of one partition. Never throws. Repeats a failed batch record by record, so that only
 * the failing record is parked, after three attempts. An infrastructure error stops it and parks nothing. After
 * `atMostMs` it repeats or parks no record except the first.
 */
export async function settleBatch(
  records: readonly LogRecord[],
  rules: BatchHandling,
  atMostMs = CHUNK_MS,
): Promise<Settlement> {
  const settled: Verdict[] = [];
  const { topic } = records[0] as LogRecord;
  try {
    const parked = new Set(
      await rules.parking.parkedKeys(rules.group, topic, [...new Set(records.map(({ key }) => key))]),
    );
    const free = records.filter(({ key }) => !parked.has(key));
    const answers = await handleTogether(free, rules);

    // The time of the handler's call does not count.
    const endsAtMs = performance.now() + atMostMs;
    let position = 0;
    for (const record of records) {
      if (settled.length > 0 && performance.now() >= endsAtMs) break;
      const index = free[position] === record ? position++ : undefined;
      const verdict = await verdictOn(record, index, { parked, answers, settled, rules });
      if (verdict === 'again') break;
      if (holdsBack(verdict)) parked.add(record.key);
      if (typeof verdict === 'object') await park(record, verdict, rules);
      settled.push(verdict);
    }
    return { settled: settled.length };
  } catch (fault) {
    return { settled: settled.length, fault };
  } finally {
    reportSkips(topic, settled, rules);
  }
}

async function park(
  record: LogRecord,
  { park: reason, aside }: Exclude<Verdict, string>,
  { group, parking, logger }: BatchHandling,
): Promise<void> {
  await parking.park(group, record, reason, aside);
  const { topic, partition, offset } = record;
  logger.warn({ group, topic, partition, offset, reason }, 'record parked');
}

/** The verdicts of all records; undefined where each record needs its own call. */
async function handleTogether(
  records: readonly LogRecord[],
  rules: BatchHandling,
): Promise<readonly Verdict[] | undefined> {
  if (records.length < 2) return undefined;
  try {
    return await call(records, rules);
  } catch (error) {
    if (isInfrastructureFault(error, rules)) throw error;
    return undefined;
  }
}

async function verdictOn(
  record: LogRecord,
  index: number | undefined,
  batch: {
    parked: ReadonlySet<string>;
    answers: readonly Verdict[] | undefined;
    settled: readonly Verdict[];
    rules: BatchHandling;
  },
): Promise<Verdict> {
  if (batch.parked.has(record.key) || index === undefined) return { park: followsParked };
  const answer = batch.answers?.[index];
  // Each batch must settle its first record, otherwise it would be handed out for ever.
  const mustAsk = answer === undefined || (answer === 'again' && batch.settled.length === 0);
  return mustAsk ? handleSingle(record, batch.rules) : answer;
}
