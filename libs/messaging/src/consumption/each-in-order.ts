import { LaterMessage, MalformedMessage } from '@opendsr-service/contracts';
import { holdsBack } from '../records';
import type { LogRecord, Verdict } from '../records';
import { inRecordSpan } from '../tracing/record-span';
import { followsParked } from './parking';
import { CHUNK_MS } from './chunk-sizer';

function groupByKey<R extends LogRecord>(records: readonly R[]): { index: number; record: R }[][] {
  const byKey = new Map<string, { index: number; record: R }[]>();
  records.forEach((record, index) => {
    const sameKey = byKey.get(record.key);
    if (sameKey) sameKey.push({ index, record });
    else byKey.set(record.key, [{ index, record }]);
  });
  return [...byKey.values()];
}

interface EachInOrderOptions<R> {
  /** The most keys handled at a time. Default: 32. */
  readonly width?: number;
  /** Milliseconds after which no record is started except the first. Default: 3,000. */
  readonly atMostMs?: number;
  /** Handles several records of one key at once. False, or an error: they are handled one by one. */
  readonly together?: (records: readonly R[]) => Promise<boolean>;
}

/**
 * Handles a batch record by record: keys concurrently, records of one key in order. Returns `again` for the records
 * that it did not start in time. Records after a parked one of the key are parked too, unless it was parked aside.
 * MalformedMessage parks a record, LaterMessage skips it. Any other error ends the batch.
 */
export async function eachInOrder<R extends LogRecord>(
  records: readonly R[],
  fn: (record: R) => Promise<Verdict>,
  { width = 32, atMostMs = CHUNK_MS, together }: EachInOrderOptions<R> = {},
): Promise<readonly Verdict[]> {
  const verdicts: Verdict[] = records.map(() => 'again');
  const endsAtMs = performance.now() + atMostMs;
  const keys = groupByKey(records);
  const waiting = keys.values();
  let failure: { readonly error: unknown } | undefined;

  const answer = async (record: R): Promise<Verdict> => {
    try {
      const verdict: Verdict | undefined = await inRecordSpan(record, () => fn(record));
      // A handler may not know a type that a later version added.
      return verdict ?? 'later-version';
    } catch (error) {
      if (error instanceof LaterMessage) return 'later-version';
      if (error instanceof MalformedMessage) return { park: error.reason };
      failure ??= { error };
      return 'skip';
    }
  };
  const isLate = (index: number): boolean => Boolean(failure) || (index > 0 && performance.now() >= endsAtMs);
  const areDone = async (sameKey: readonly { readonly index: number; readonly record: R }[]): Promise<boolean> => {
    if (!together || sameKey.length < 2 || isLate(sameKey[0]?.index ?? 0)) return false;
    const all = sameKey.map(({ record }) => record);
    const handle = async (): Promise<boolean> => {
      try {
        return await together(all);
      } catch {
        return false;
      }
    };
    return all.reduceRight((inner, record) => () => inRecordSpan(record, inner), handle)();
  };
  const work = async (): Promise<void> => {
    for (const sameKey of waiting) {
      if (await areDone(sameKey)) {
        for (const { index } of sameKey) verdicts[index] = 'done';
        continue;
      }
      let parked = false;
      for (const { index, record } of sameKey) {
        if (isLate(index)) return;
        const verdict: Verdict = parked ? { park: followsParked } : await answer(record);
        verdicts[index] = verdict;
        parked = holdsBack(verdict);
      }
    }
  };
  // Most batches are small, and a worker that finds nothing costs as much as a promise does.
  await Promise.all(Array.from({ length: Math.min(width, keys.length) }, work));
  if (failure) throw failure.error;
  return verdicts;
}
