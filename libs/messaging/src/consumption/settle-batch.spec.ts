import { PublishRefused } from '../errors';
import { MemoryParking } from '../testing/memory-parking';
import type { LogRecord, Verdict } from '../records';
import { silentLogger } from './silent-logger';
import { handleSingle, settleBatch } from './settle-batch';

const records = ['a', 'b', 'a', 'c'].map((key, n): LogRecord => ({
  topic: 't',
  partition: 0,
  offset: String(n),
  key,
  value: Buffer.from(''),
  headers: {},
  timestampMs: 0,
}));
const rules = (handle: (records: readonly LogRecord[]) => readonly Verdict[], parking = new MemoryParking()) => ({
  ...{ group: 'g', parking, logger: silentLogger },
  handle: (of: readonly LogRecord[]) => Promise.resolve(handle(of)),
  isInfrastructureError: () => false,
});

describe('a batch whose time was over before its end', () => {
  it('is settled up to the first record with the verdict again, and parks nothing behind it', async () => {
    const parking = new MemoryParking();
    expect(
      await settleBatch(
        records,
        rules(() => ['done', 'skip', 'again', { park: 'odd' }], parking),
      ),
    ).toEqual({ settled: 2 });
    expect(parking.parked).toEqual([]);
  });

  it('handles the first record alone if the handler answered `again` for it', async () => {
    const asked: number[] = [];
    const handle = (of: readonly LogRecord[]): readonly Verdict[] => {
      asked.push(of.length);
      return of.length === 1 ? ['done'] : ['again', 'done'];
    };
    expect(await settleBatch(records.slice(0, 2), rules(handle))).toEqual({ settled: 2 });
    expect(asked).toEqual([2, 1]);
  });

  it('never ends before its first record: the verdict again for it alone counts as a missing one', async () => {
    expect(
      await handleSingle(
        records[0] as LogRecord,
        rules(() => ['again']),
      ),
    ).toEqual({ park: 'verdicts-do-not-match-records' });
  });

  it('stops after its first record if handling its records one by one takes too long', async () => {
    const asked: number[] = [];
    const handle = (of: readonly LogRecord[]): readonly Verdict[] => {
      asked.push(of.length);
      if (of.length > 1) throw new Error('odd');
      return ['done'];
    };
    expect(await settleBatch(records, rules(handle), 0)).toEqual({ settled: 1 });
    expect(asked).toEqual([4, 1]);
  });

  it('stops after its first record if parking the followers of a parked record takes too long', async () => {
    const parking = new MemoryParking();
    const ofOneKey = records.filter(({ key }) => key === 'a');
    await parking.park('g', ofOneKey[0] as LogRecord, 'odd');
    expect(
      await settleBatch(
        ofOneKey,
        rules(() => [], parking),
        0,
      ),
    ).toEqual({ settled: 1 });
    expect(parking.parked.map(({ reason }) => reason)).toEqual(['odd', 'follows-parked-record']);
  });
});

describe('a handler whose publish the log refuses', () => {
  const refusing = (reason: PublishRefused['reason']) =>
    handleSingle(
      records[0] as LogRecord,
      rules(() => {
        throw new PublishRefused(reason, 'planted');
      }),
    );

  it.each(['away', 'full', 'closed', 'unknown-topic'] as const)('keeps its record where the log is %s', async (why) => {
    await expect(refusing(why)).rejects.toMatchObject({ reason: why });
  });

  it.each(['too-large', 'rejected'] as const)('parks its record where that is %s', async (why) => {
    expect(await refusing(why)).toEqual({ park: 'failed:PublishRefused' });
  });
});
