import { LogAway } from './errors';
import { openLog } from './open-log';
import type { LogBed } from './log.contract';
import type { EventLog, KeyRead, KeyReadBounds, KeyReadStart } from './port';
import type { OutgoingRecord } from './records';
import { until } from './testing/until';

const WIDE: KeyReadBounds = { records: 1_000, bytes: 1e9, timeMs: 60_000 };
const BEGINNING = new Date(0);
const EARLIER = new Date('2000-01-01T00:00:00Z');

const numbered = (key: string, count: number): OutgoingRecord[] =>
  Array.from({ length: count }, (_, n) => ({ key, value: `${key}${n}`, headers: { of: key } }));
const valuesOf = ({ records }: KeyRead) => records.map(({ value }) => value.toString());

/** What every log must do for those who search the records of one key. */
export function readKeyContract(name: string, setUp: () => Promise<LogBed>): void {
  describe(`${name} is searched for one key`, () => {
    let bed: LogBed;
    let log: EventLog;
    let [topic, other] = ['', ''];
    let made = 0;

    beforeAll(async () => {
      bed = await setUp();
      log = await openLog(bed.open);
    });

    afterAll(async () => {
      await log.close();
      bed.close();
    });

    beforeEach(async () => {
      [topic, other] = [`key-${made}`, `key-${made++}-other`];
      await log.topics.apply(
        [topic, other].map((one) => ({ name: one, partitions: bed.partitions, retentionMs: -1 })),
        { replication: 1, minIsr: 1 },
      );
    });

    const publish = (...records: OutgoingRecord[]) => log.publisher.publish(topic, records);
    const readAll = async (starts: readonly KeyReadStart[], bounds: Partial<KeyReadBounds> = {}, key = 'k') =>
      (await log.readKey({ key, starts, bounds: { ...WIDE, ...bounds } })) as readonly KeyRead[];
    const read = async (from: string | Date, bounds: Partial<KeyReadBounds> = {}, key = 'k') =>
      (await readAll([{ topic, from }], bounds, key))[0] as KeyRead;
    /** Kafka names the leader of a new topic before that broker knows that it leads it. */
    const isLed = () =>
      read(EARLIER).then(
        () => true,
        (error: unknown) => {
          if (error instanceof LogAway) return false;
          throw error;
        },
      );

    it('gives the records of the key in each topic as they were published, and none of another', async () => {
      const keys = Array.from({ length: 20 }, (_, n) => `other-${n}`);
      await publish(...numbered('k', 2), ...keys.flatMap((key) => numbered(key, 3)), ...numbered('k', 1));
      await log.publisher.publish(other, numbered('k', 1));
      const reads = await readAll([
        { topic, from: EARLIER },
        { topic: other, from: '0' },
      ]);
      expect(reads.map(valuesOf)).toEqual([['k0', 'k1', 'k0'], ['k0']]);
      const [first] = reads;
      expect(first?.records[0]).toMatchObject({ topic, partition: first?.partition, key: 'k', headers: { of: 'k' } });
      expect(first?.readToMs).toBeGreaterThanOrEqual(first?.records.at(-1)?.timestampMs ?? Infinity);
      expect(reads.every((one) => one.stoppedBy === undefined && one.leftFromMs === undefined)).toBe(true);
      // Wherever a key is, its publisher put it there.
      for (const key of keys) expect(valuesOf(await read('0', {}, key))).toEqual([0, 1, 2].map((n) => `${key}${n}`));
    });

    it('begins with the first record of a time, and reads nothing where all are older', async () => {
      await publish(...numbered('k', 3));
      const before = Math.max(...(await read(EARLIER)).records.map(({ timestampMs }) => timestampMs));
      await until(() => Date.now() > before + 1);
      const from = new Date();
      await publish({ key: 'k', value: 'later', headers: {} });
      expect(valuesOf(await read(from))).toEqual(['later']);
      const none = await read(new Date(Date.now() + 60_000));
      expect(none).toMatchObject({ records: [], next: '4', bytes: 0 });
      expect(none).not.toHaveProperty('readToMs');
    });

    it('ends at the bound of records, and goes on from there without a gap or a repeat', async () => {
      await publish(...numbered('k', 1), ...numbered('x', 700), ...numbered('k', 4));
      const seen: string[] = [];
      const stops: unknown[] = [];
      for (let from: string | Date = BEGINNING, left = 9; left > 0; left--) {
        const found = await read(from, { records: 2 });
        seen.push(...valuesOf(found));
        stops.push(found.stoppedBy);
        from = found.next;
        if (found.stoppedBy === undefined) break;
      }
      expect([seen, stops]).toEqual([
        ['k0', 'k0', 'k1', 'k2', 'k3'],
        ['records', 'records', undefined],
      ]);
    });

    it('ends at the bound of bytes of whatever key, and leaves the topics behind', async () => {
      const large = 'x'.repeat(1_000);
      await publish(...Array.from({ length: 5 }, () => ({ key: 'k', value: large, headers: {} })));
      const starts = [topic, other].map((one) => ({ topic: one, from: BEGINNING }));
      const reads = await readAll(starts, { bytes: 2_500 });
      expect(reads).toMatchObject([{ topic, stoppedBy: 'bytes', next: '3', bytes: 3_003 }]);
      expect(await readAll(starts, { bytes: 5_006 })).toHaveLength(2);
      // All of one topic was read, and nothing is left for the next one.
      const [whole, ...more] = await readAll(starts, { bytes: 5_005 });
      expect([whole?.records.length, whole?.stoppedBy, more]).toEqual([5, undefined, []]);
    });

    it('ends at the bound of time', async () => {
      await publish(...numbered('k', 3));
      expect(await read('1', { timeMs: 0 })).toMatchObject({ records: [], stoppedBy: 'time', next: '1' });
    });

    it('reads nothing of a topic without records, and nothing from beyond the end', async () => {
      await until(isLed);
      expect(await read(EARLIER)).toEqual({ topic, partition: expect.any(Number) as number, ...NOTHING });
      expect(await read('9999')).toMatchObject(NOTHING);
    });

    it('reports that a topic does not exist, which is no outage', async () => {
      await expect(readAll([{ topic: 'nowhere', from: EARLIER }])).rejects.toMatchObject({ name: 'UnknownTopic' });
    });

    it('rejects when the event log is closed', async () => {
      const closed = await openLog(bed.open);
      await closed.close();
      const question = { key: 'k', starts: [{ topic, from: EARLIER }], bounds: WIDE };
      await expect(closed.readKey(question)).rejects.toMatchObject({ name: 'LogAway' });
    });
  });
}

const NOTHING = { records: [], next: '0', bytes: 0 } as const;
