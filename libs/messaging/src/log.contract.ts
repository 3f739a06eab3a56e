import { MalformedMessage } from '@opendsr-service/contracts';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { LogAway, PublishRefused } from './errors';
import { openLog } from './open-log';
import type { OpenLogOptions } from './open-log';
import type { EventLog, TopicDefinition } from './port';
import { isPublishable, type LogRecord, type OutgoingRecord, type Verdict } from './records';
import { bundle, killAtFirstWord, run } from './testing/bundled-child';
import type { DyingConsumerTask } from './testing/dying-consumer';
import { allDone, Listener, ServerAway } from './testing/listener';
import { MemoryParking } from './testing/memory-parking';
import { until } from './testing/until';

export interface LogBed {
  /** Opens the log that the suite runs on; JSON, for a child process opens it too. */
  readonly open: OpenLogOptions;
  readonly partitions: number;
  close(): void;
}

const single = { replication: 1, minIsr: 1 };
const record = (key: string, value: string): OutgoingRecord => ({ key, value, headers: {} });
const numbered = (key: string, count: number): OutgoingRecord[] =>
  Array.from({ length: count }, (_, n) => record(key, `${key}${n}`));
const byKey = (answer: (one: LogRecord) => Verdict) => (records: readonly LogRecord[]) => records.map(answer);

/** What every log must do (decision 6), whatever it is made of. */
export function logContract(name: string, setUp: () => Promise<LogBed>): void {
  describe(`${name} keeps the contract of the log`, () => {
    let bed: LogBed;
    let log: EventLog;
    let topic: TopicDefinition;
    let made = 0;

    beforeAll(async () => {
      bed = await setUp();
    });

    afterAll(() => bed.close());

    beforeEach(async () => {
      log = await openLog(bed.open);
      topic = { name: `topic-${made++}`, partitions: bed.partitions, retentionMs: 86_400_000 };
      await log.topics.apply([topic], single);
    });

    afterEach(async () => {
      await log.close();
    });

    const publish = (...records: OutgoingRecord[]) => log.publisher.publish(topic.name, records);
    const joinGroup = (more?: Parameters<typeof Listener.join>[3]) => Listener.join(log, 'group', [topic.name], more);

    it('hands out key, headers, value and time as they were published', async () => {
      const value = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));
      const headers = { ce_type: 'a.b', plain: '', umlaut: 'äöü – 漢字 \u0001', 'with.dot': '$' };
      await publish({ key: 'ws:ключ "1"', value, headers });
      const [listener] = await joinGroup();
      await until(() => listener.handled.length === 1);
      const [seen] = listener.handled;
      expect(seen).toMatchObject({ topic: topic.name, key: 'ws:ключ "1"', offset: '0', headers });
      expect(seen?.value.equals(value)).toBe(true);
      expect(Number.isSafeInteger(seen?.timestampMs)).toBe(true);
    });

    it('creates a compacted topic as declared, which hands out the last record of each key', async () => {
      const last: TopicDefinition = { ...topic, name: `${topic.name}-last`, partitions: 1, retentionMs: -1 };
      await log.topics.apply([{ ...last, isCompacted: true }], single);
      expect(await log.topics.compare([{ ...last, isCompacted: true }], single)).toMatchObject([{ differences: [] }]);
      if (log.kind === 'kafka')
        expect(await log.topics.compare([last], single)).toMatchObject([
          { differences: [expect.stringContaining('cleanup.policy is compact, should be delete')] },
        ]);
      await log.publisher.publish(last.name, [...numbered('a', 3), ...numbered('b', 2)]);
      const seen: LogRecord[] = [];
      await log.read(last.name, {}, (records) => (seen.push(...records), Promise.resolve()));
      const lastOf = new Map(seen.map(({ key, value }) => [key, value.toString()]));
      expect([...lastOf.values()]).toEqual(['a2', 'b1']);
    });

    it('keeps the order within a key through many simultaneous publishes', async () => {
      const [listener] = await joinGroup();
      const keys = ['a', 'b', 'c', 'd', 'e'];
      const sent = Array.from({ length: 60 }, (_, n) =>
        Promise.all(keys.map((key) => publish(record(key, String(n))))),
      );
      await Promise.all(sent);
      await until(() => listener.handled.length === 300);
      const expected = Array.from({ length: 60 }, (_, n) => String(n));
      expect(keys.map((key) => listener.valuesOf(key))).toEqual(keys.map(() => expected));
    });

    it('accepts a large batch and hands it out in calls of at most maxBatch records of one partition', async () => {
      await publish(...numbered('k', 1500), ...numbered('l', 1500));
      const [listener] = await joinGroup({ maxBatch: 200 });
      await until(() => listener.handled.length === 3000);
      expect(Math.max(...listener.calls.map((call) => call.length))).toBeLessThanOrEqual(200);
      expect(listener.calls.every((call) => new Set(call.map(({ partition }) => partition)).size === 1)).toBe(true);
      expect(listener.valuesOf('k')).toEqual(numbered('k', 1500).map(({ value }) => value));
    });

    it('gives each group every record, from the beginning, also a group that comes later', async () => {
      await publish(...numbered('a', 3));
      const [first] = await joinGroup();
      await until(() => first.handled.length === 3);
      const [second] = await Listener.join(log, 'later', [topic.name]);
      await until(() => second.handled.length === 3);
      expect([first.values, second.values]).toEqual([
        ['a0', 'a1', 'a2'],
        ['a0', 'a1', 'a2'],
      ]);
    });

    it('handles each record once if two members share a group', async () => {
      const [one, leaving] = await joinGroup();
      const [two, staying] = await joinGroup();
      // Who joins later waits for the other to join again, so nobody has to change partitions with the records.
      await until(() => [leaving, staying].every(({ state }) => state === 'consuming'));
      await publish(...['a', 'b', 'c', 'd', 'e', 'f'].flatMap((key) => numbered(key, 20)));
      await until(() => new Set([...one.values, ...two.values]).size === 120);
      const handled = () => one.handled.length + two.handled.length;
      await until(async () => (await staying.lag()).every(({ lag }) => lag === 0));
      expect(handled()).toBe(120);
      await leaving.close();
      await publish(...['a', 'b', 'c', 'd', 'e', 'f'].flatMap((key) => numbered(`x${key}`, 5)));
      await until(() => new Set(two.values.filter((value) => value.startsWith('x'))).size === 30);
      // A server may hand out again what came while the partitions changed their member.
      if (log.kind === 'embedded') expect(handled()).toBe(150);
    });

    it('continues after done and skip, parks with the reason, and parks later records of that key', async () => {
      const answer = byKey(({ value }) =>
        value.toString() === 'b1' ? { park: 'no-such-thing' } : value.toString() === 'a1' ? 'skip' : 'done',
      );
      const [listener, consumer] = await joinGroup({ answer });
      await publish(...numbered('a', 3), ...numbered('b', 3));
      await until(() => listener.parked.length === 2);
      await publish(record('b', 'later'), record('a', 'free'));
      await until(() => listener.parked.length === 3 && listener.values.includes('free'));
      expect(listener.parked).toEqual([
        ['b', 'b1', 'no-such-thing'],
        ['b', 'b2', 'follows-parked-record'],
        ['b', 'later', 'follows-parked-record'],
      ]);
      expect(listener.values).not.toContain('later');
      await until(async () => (await consumer.lag()).every(({ lag }) => lag === 0));
    });

    it('parks a record aside without blocking later ones of its key, in the same batch or after it', async () => {
      const [listener] = await joinGroup({
        answer: byKey(({ value }) => (value.toString() === 'a1' ? { park: 'forged', aside: true } : 'done')),
      });
      await publish(...numbered('a', 3));
      await until(() => listener.handled.length === 3);
      await publish(record('a', 'later'));
      await until(() => listener.values.includes('later'));
      expect([listener.parked, listener.values]).toEqual([[['a', 'a1', 'forged']], ['a0', 'a1', 'a2', 'later']]);
      expect(await listener.parking.parkedKeys('group', topic.name, ['a'])).toEqual(new Set());
    });

    it('tells the parking that partitions were shared out before it asks which keys are blocked', async () => {
      const parking = new MemoryParking();
      const asked: number[] = [];
      const ask = parking.parkedKeys.bind(parking);
      parking.parkedKeys = (...args) => {
        asked.push(parking.assignments);
        return ask(...args);
      };
      await publish(...numbered('a', 3));
      const [listener] = await joinGroup({ parking });
      await until(() => listener.handled.length === 3);
      expect(asked.length).toBeGreaterThan(0);
      expect(asked).not.toContain(0);
    });

    it('parks a malformed record at once', async () => {
      let tries = 0;
      const [listener] = await joinGroup({
        answer: (records) => {
          if (!records.some(({ key }) => key === 'bad')) return allDone(records);
          if (records.length === 1) tries += 1;
          throw new MalformedMessage('not-json');
        },
      });
      await publish(record('bad', '{'), record('good', '1'));
      await until(() => listener.parked.length === 1 && listener.values.includes('1'));
      expect([listener.parked, tries]).toEqual([[['bad', '{', 'not-json']], 1]);
    });

    it('attempts a record that breaks the handler three times, parks only that one, and continues', async () => {
      let tries = 0;
      const [listener, consumer] = await joinGroup({
        answer: (records) => {
          if (records.length === 1 && records[0]?.key === 'poison') tries += 1;
          return records.map(({ key }) => (key === 'poison' ? (undefined as unknown as { x: Verdict }).x : 'done'));
        },
      });
      await publish(...numbered('a', 5), record('poison', 'p'), ...numbered('b', 5));
      await until(() => listener.parked.length === 1);
      await publish(record('c', 'after'));
      await until(() => listener.values.includes('after'));
      expect([listener.parked, tries]).toEqual([[['poison', 'p', 'failed:TypeError']], 3]);
      expect(new Set(listener.values)).toEqual(
        new Set([...numbered('a', 5), ...numbered('b', 5), record('c', 'after')].map(({ value }) => value)),
      );
      expect([consumer.state, listener.fatal]).toEqual(['consuming', undefined]);
    });

    it('parks a record that gets no verdict from the handler', async () => {
      const [listener] = await joinGroup({ answer: (records) => (records[0]?.key === 'mute' ? [] : allDone(records)) });
      await publish(record('mute', 'm'));
      await until(() => listener.parked.length === 1);
      expect(listener.parked).toEqual([['mute', 'm', 'verdicts-do-not-match-records']]);
    });

    it('pauses while a server is away and then continues, with nothing lost, parked or out of order', async () => {
      let away = 4;
      const [listener] = await joinGroup({
        answer: (records) => {
          if (records.some(({ value }) => value.toString() === 'a5') && away-- > 0)
            throw new Error('wrapped', { cause: new ServerAway() });
          return allDone(records);
        },
        maxBatch: 3,
      });
      await publish(...numbered('a', 20), ...numbered('b', 20));
      await until(() => listener.handled.length >= 40);
      expect([listener.valuesOf('a'), listener.valuesOf('b'), listener.parked]).toEqual([
        numbered('a', 20).map(({ value }) => value),
        numbered('b', 20).map(({ value }) => value),
        [],
      ]);
    });

    it('treats a failed publish or read in a handler as an event log that is away', async () => {
      let away = 2;
      const [listener] = await joinGroup({
        answer: (records) => {
          if (away-- > 0)
            throw away > 0 ? new PublishRefused('away', 'the log is away') : new LogAway('the log is away');
          return allDone(records);
        },
      });
      await publish(record('a', '1'));
      await until(() => listener.handled.length === 1);
      expect(listener.parked).toEqual([]);
    });

    it('keeps a record that cannot be parked yet', async () => {
      const [listener] = await joinGroup({ answer: byKey(() => ({ park: 'odd' })) });
      const park = listener.parking.park.bind(listener.parking);
      let away = 2;
      listener.parking.park = (...args) => (away-- > 0 ? Promise.reject(new ServerAway()) : park(...args));
      await publish(record('a', '1'));
      await until(() => listener.parked.length === 1);
      expect(listener.parked).toEqual([['a', '1', 'odd']]);
    });

    it('commits after the effect, not before', async () => {
      let release: () => void = () => undefined;
      const held = new Promise<void>((resolve) => (release = resolve));
      const [listener, consumer] = await joinGroup({ answer: (records) => held.then(() => allDone(records)) });
      await publish(record('a', '1'));
      await until(() => listener.calls.length === 1);
      const total = async () => (await consumer.lag()).reduce((sum, { lag = NaN }) => sum + lag, 0);
      expect(await total()).toBe(1);
      release();
      await until(async () => (await total()) === 0);
    });

    it('finishes and commits the running batch when it is closed', async () => {
      const [listener, consumer] = await joinGroup({ answer: (records) => delay(300).then(() => allDone(records)) });
      await publish(record('a', '1'));
      await until(() => listener.calls.length === 1);
      await consumer.close();
      expect([listener.values, consumer.state]).toEqual([['1'], 'away']);
      await publish(record('a', '2'));
      const [next] = await joinGroup();
      await until(() => next.handled.length > 0);
      expect(next.values).toEqual(['2']);
    });

    it('hands out again the uncommitted records of a killed process, and loses none', async () => {
      const folder = mkdtempSync(join(tmpdir(), 'dying-'));
      const effects = join(folder, 'effects');
      await publish(...numbered('k', 100));
      if (log.kind === 'embedded') await log.close();
      try {
        await bundle(join(__dirname, 'testing/dying-consumer.ts'), join(folder, 'child.mjs'));
        const task: DyingConsumerTask = {
          open: bed.open,
          group: 'group',
          topic: topic.name,
          effects,
          hangAt: 'k57',
          uncommitted: 50,
        };
        await killAtFirstWord(run(join(folder, 'child.mjs'), task));
        const before = readFileSync(effects, 'utf8').trim().split('\n');
        expect(before.at(-1)).toBe('k56');
      } finally {
        rmSync(folder, { recursive: true });
      }

      if (log.kind === 'embedded') log = await openLog(bed.open);
      const [listener] = await joinGroup();
      await until(() => listener.values.includes('k99'));
      expect(listener.values[0]).toBe('k50');
      expect(listener.values).toEqual(numbered('k', 50).map((_, n) => `k${n + 50}`));
    });

    it('rewinds only the given group to the first record, once all its members have left', async () => {
      await publish(...numbered('a', 3));
      const [first, consumer] = await joinGroup();
      const [, other] = await Listener.join(log, 'other', [topic.name]);
      await until(
        async () =>
          first.handled.length === 3 &&
          (await Promise.all([consumer, other].map((one) => one.lag()))).flat().every(({ lag }) => lag === 0),
      );
      expect(await log.hasMembers('group')).toBe(true);
      await expect(log.rewind('group')).rejects.toMatchObject({ name: 'GroupInUse' });
      await Promise.all([consumer, other].map((one) => one.close()));
      await until(async () => !(await log.hasMembers('group')));

      await log.rewind('group');
      await log.rewind('group');
      const [again] = await joinGroup();
      const [ofOther] = await Listener.join(log, 'other', [topic.name]);
      await publish(record('a', 'a3'));
      await until(() => again.handled.length === 4 && ofOther.handled.length === 1);
      expect([again.values, ofOther.values]).toEqual([['a0', 'a1', 'a2', 'a3'], ['a3']]);
    });

    it('treats an unknown group as one at the beginning', async () => {
      expect(await log.hasMembers('nobody')).toBe(false);
      await log.rewind('nobody');
    });

    it('refuses a record that no broker accepts, before it can block its partition', async () => {
      expect([800_000, 1_000_000].map((bytes) => isPublishable(record('a', 'x'.repeat(bytes))))).toEqual([true, false]);
      await expect(publish(record('a', 'x'.repeat(1_000_000)))).rejects.toMatchObject({
        name: 'PublishRefused',
        reason: 'too-large',
      });
      await publish(record('a', 'x'.repeat(800_000)), record('a', 'y'.repeat(800_000)));
    });

    it('refuses a topic that does not exist, and everything once it is closed', async () => {
      await expect(log.publisher.publish('nowhere', [record('a', '1')])).rejects.toMatchObject({
        name: 'PublishRefused',
        reason: 'unknown-topic',
      });
      await log.close();
      await expect(publish(record('a', '1'))).rejects.toMatchObject({ name: 'PublishRefused', reason: 'closed' });
    });

    it('reports each difference of a topic in one line, and never changes an existing topic', async () => {
      const other = { ...topic, retentionMs: 1_000 };
      const missing = { ...topic, name: 'missing' };
      const shorter = { ...topic, retentionMs: 172_800_000 };
      const asDefined = { name: topic.name, exists: true, differences: [], tolerated: [] };
      const difference = `topic ${topic.name}: retention.ms is 86400000, should be`;
      expect(await log.topics.compare([topic], single)).toEqual([asDefined]);
      expect(await log.topics.compare([other, missing], single)).toEqual([
        {
          name: topic.name,
          exists: true,
          differences: [],
          tolerated: [expect.stringContaining(`${difference} 1000: `)],
        },
        { name: 'missing', exists: false, differences: [], tolerated: [] },
      ]);
      expect(await log.topics.compare([shorter], single)).toEqual([
        { ...asDefined, differences: [`${difference} 172800000`] },
      ]);
      expect(await log.topics.apply([other], single)).toEqual({ created: [], existing: [topic.name] });
      expect(await log.topics.compare([topic], single)).toEqual([asDefined]);
    });
  });
}
