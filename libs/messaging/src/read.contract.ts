import { setImmediate } from 'node:timers/promises';
import { openLog } from './open-log';
import type { LogBed } from './log.contract';
import type { EventLog } from './port';
import type { LogRecord, OutgoingRecord, Positions } from './records';

const numbered = (key: string, count: number): OutgoingRecord[] =>
  Array.from({ length: count }, (_, n) => ({ key, value: `${key}${n}`, headers: {} }));
const valuesOf = (records: readonly LogRecord[]) => records.map(({ value }) => value.toString()).sort();

/** What every log must do for those who read a topic to its end. */
export function readContract(name: string, setUp: () => Promise<LogBed>): void {
  describe(`${name} is read to its end`, () => {
    let bed: LogBed;
    let log: EventLog;
    let topic: string;
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
      topic = `read-${made++}`;
      await log.topics.apply([{ name: topic, partitions: bed.partitions, retentionMs: -1 }], {
        replication: 1,
        minIsr: 1,
      });
    });

    const publish = (...records: OutgoingRecord[]) => log.publisher.publish(topic, records);
    const read = async (
      from: Positions,
    ): Promise<{ calls: (readonly LogRecord[])[]; records: LogRecord[]; positions: Positions }> => {
      const calls: (readonly LogRecord[])[] = [];
      const positions = await log.read(topic, from, (records) => Promise.resolve(void calls.push(records)));
      return { calls, records: calls.flat(), positions };
    };

    it('leaves to the next read what is appended meanwhile, and misses nothing of it', async () => {
      const records = numbered('a', 100);
      let isAppended = false;
      const appending = (async () => {
        for (const record of records) await publish(record);
        isAppended = true;
      })();
      let positions: Positions = {};
      const seen: LogRecord[] = [];
      for (let isLast = false; !isLast; await setImmediate()) {
        isLast = isAppended;
        const next = await read(positions);
        seen.push(...next.records);
        ({ positions } = next);
      }
      await appending;
      expect(seen.map(({ value }) => value.toString())).toEqual(records.map(({ value }) => value));
    });

    it('calls no handler for an empty topic, and returns the start of every partition', async () => {
      const { calls, positions } = await read({});
      expect([calls, positions]).toEqual([
        [],
        Object.fromEntries(Array.from({ length: bed.partitions }, (_, partition) => [partition, '0'])),
      ]);
    });

    it('hands out all records as they were published, in batches of one partition, each partition in its order', async () => {
      const keys = ['a', 'b', 'c', 'd'];
      await publish(...keys.flatMap((key) => numbered(key, 400)), {
        key: 'ключ',
        value: Buffer.from([0, 255]),
        headers: { 'with.dot': '$' },
      });
      const { calls, records, positions } = await read({});
      expect(records).toHaveLength(1601);
      expect(
        keys.map((key) => records.filter((record) => record.key === key).map(({ value }) => value.toString())),
      ).toEqual(keys.map((key) => numbered(key, 400).map(({ value }) => value)));
      expect(records.find(({ key }) => key === 'ключ')).toMatchObject({
        topic,
        value: Buffer.from([0, 255]),
        headers: { 'with.dot': '$' },
      });
      expect(Math.max(...calls.map((call) => call.length))).toBeLessThanOrEqual(500);
      expect(calls.every((call) => new Set(call.map(({ partition }) => partition)).size === 1)).toBe(true);
      expect(Object.values(positions).reduce((sum, next) => sum + Number(next), 0)).toBe(1601);
    });

    it('continues from the returned positions, also without one of a partition', async () => {
      await publish(...numbered('a', 3), ...numbered('b', 3), ...numbered('c', 3));
      const first = await read({});
      expect((await read(first.positions)).calls).toEqual([]);
      await publish(...numbered('later', 2));
      const { records, positions } = await read(first.positions);
      expect(valuesOf(records)).toEqual(['later0', 'later1']);
      const partition = records[0]?.partition ?? -1;
      const again = await read(
        Object.fromEntries(Object.entries(positions).filter(([number]) => number !== String(partition))),
      );
      expect(new Set(again.records.map((record) => record.partition))).toEqual(new Set([partition]));
      expect(again.records[0]?.offset).toBe('0');
    });

    it('reads a partition from its beginning if the position is beyond its end, as in a recreated topic', async () => {
      await publish(...numbered('a', 2), ...numbered('b', 2), ...numbered('c', 2));
      const { records, positions } = await read({});
      const partition = records[0]?.partition ?? -1;
      const ofIt = records.filter((record) => record.partition === partition);
      const again = await read({ ...positions, [partition]: '9999', 999: '5' });
      expect([valuesOf(again.records), again.positions]).toEqual([valuesOf(ofIt), positions]);
    });

    it('ends at the end that the topic had at first, and leaves later records to the next read', async () => {
      await publish(...numbered('a', 2));
      const seen: LogRecord[] = [];
      const positions = await log.read(topic, {}, async (records) => {
        seen.push(...records);
        await publish(...numbered('during', 1));
      });
      const next = await read(positions);
      expect(valuesOf([...seen, ...next.records])).toEqual(['a0', 'a1', ...seen.map(() => 'during0').slice(0, 1)]);
    });

    it('rejects with the error of the handler, reads no further, and restarts at the same position', async () => {
      await publish(...numbered('a', 600));
      const odd = new TypeError('odd');
      let calls = 0;
      await expect(log.read(topic, {}, () => Promise.reject((calls++, odd)))).rejects.toBe(odd);
      expect([calls, (await read({})).records.length]).toEqual([1, 600]);
    });

    it('reports that a topic does not exist, which is no outage', async () => {
      await expect(log.read('nowhere', {}, () => Promise.resolve())).rejects.toMatchObject({
        name: 'UnknownTopic',
        message: 'topic nowhere does not exist',
      });
    });

    it('rejects when the event log is closed', async () => {
      await publish(...numbered('a', 600));
      const other = await openLog(bed.open);
      let closing: Promise<void> = Promise.resolve();
      let calls = 0;
      const reading = other.read(topic, {}, async () => {
        calls += 1;
        closing = other.close();
        await Promise.resolve();
      });
      await expect(reading).rejects.toMatchObject({ name: 'LogAway' });
      await closing;
      await expect(other.read(topic, {}, () => Promise.resolve())).rejects.toMatchObject({ name: 'LogAway' });
      expect(calls).toBe(1);
    });
  });
}
