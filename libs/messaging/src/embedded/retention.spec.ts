import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SqliteFile } from '@opendsr-service/storage';
import { silentLogger } from '../consumption/silent-logger';
import { openLog } from '../open-log';
import type { EventLog, KeyRead } from '../port';
import type { Positions } from '../records';
import { Listener } from '../testing/listener';
import { until } from '../testing/until';
import { EmbeddedLog } from './embedded-log';
import { findTopic } from './tables';

const record = (value: string) => ({ key: 'k', value, headers: {} });

describe('the embedded event log over time', () => {
  let folder: string;
  let nowMs = 0;
  const logs: EventLog[] = [];

  const open = async (): Promise<EventLog> => {
    const log = await openLog({ embedded: { file: join(folder, 'log.db'), sweepEveryMs: 5 }, now: () => nowMs });
    logs.push(log);
    return log;
  };

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'log-'));
    nowMs = 1_000_000;
  });

  afterEach(async () => {
    await Promise.all(logs.splice(0).map((log) => log.close()));
    rmSync(folder, { recursive: true });
  });

  it('deletes records older than the retention of their topic, and none of a topic without one', async () => {
    const log = await open();
    await log.topics.apply(
      [
        { name: 'short', partitions: 1, retentionMs: 1_000 },
        { name: 'kept', partitions: 1, retentionMs: -1 },
      ],
      { replication: 1, minIsr: 1 },
    );
    for (const topic of ['short', 'kept']) await log.publisher.publish(topic, [record('old')]);
    nowMs += 1_001;
    for (const topic of ['short', 'kept']) await log.publisher.publish(topic, [record('new')]);

    let seen: readonly string[] = [];
    await until(async () => {
      const [listener, consumer] = await Listener.join(log, `reader ${Math.random()}`, ['short']);
      await until(() => listener.values.includes('new'));
      await consumer.close();
      seen = listener.values;
      return seen.length === 1;
    });
    const [kept] = await Listener.join(log, 'kept', ['kept']);
    await until(() => kept.values.length === 2);
    expect([seen, kept.values]).toEqual([['new'], ['old', 'new']]);
  });

  it('deletes a few megabytes at a time, and other topics too where one fails, which it tries again', async () => {
    const file = SqliteFile.open(join(folder, 'log.db'));
    const topics = ['failing', 'large'];
    const oldest = () => file.read((db) => topics.map((name) => findTopic(db, name)?.first));
    const atWarnings: unknown[] = [];
    const logger = { ...silentLogger, warn: () => void atWarnings.push(oldest()) };
    const log = await EmbeddedLog.open({ file, now: () => nowMs, logger, sweepEveryMs: 5 });
    await log.topics.apply(topics.map((name) => ({ name, partitions: 1, retentionMs: 1_000 })));
    for (const topic of topics)
      for (let n = 0; n < 10; n++) await log.publisher.publish(topic, [record('x'.repeat(900_000))]);
    const writes = jest.spyOn(file, 'write').mockRejectedValueOnce(new Error('disk I/O error'));
    nowMs += 1_001;
    await until(() => oldest().every((first) => first === 10));
    expect([atWarnings, writes.mock.calls.length]).toEqual([[[0, 10]], 5]);
    await log.close();
    await file.close();
  });

  it('tells who searches a key from when on records are left, where earlier ones are gone', async () => {
    const log = await open();
    await log.topics.apply([{ name: 'short', partitions: 1, retentionMs: 1_000 }], { replication: 1, minIsr: 1 });
    const find = async (from: string | Date) => {
      const bounds = { records: 10, bytes: 1e6, timeMs: 10_000 };
      const [found] = await log.readKey({ key: 'k', starts: [{ topic: 'short', from }], bounds });
      return found as KeyRead;
    };
    await log.publisher.publish('short', [record('old'), record('old')]);
    nowMs += 600;
    await log.publisher.publish('short', [record('new')]);
    const received = new Date(1_000_000);
    expect(await find(received)).not.toHaveProperty('leftFromMs');
    nowMs += 500;
    await until(async () => (await find(received)).leftFromMs !== undefined);
    for (const from of [received, '1'])
      expect(await find(from)).toMatchObject({ records: [{ offset: '2' }], leftFromMs: 1_000_600 });
    expect(await find('2')).not.toHaveProperty('leftFromMs');
    nowMs += 1_000;
    await until(async () => (await find(received)).leftFromMs === null);
    expect(await find(received)).toMatchObject({ records: [], next: '3' });
  });

  it('keeps the last record of each key of a compacted topic at any age', async () => {
    const log = await open();
    await log.topics.apply([{ name: 'last', partitions: 1, retentionMs: -1, isCompacted: true }], {
      replication: 1,
      minIsr: 1,
    });
    const publish = (key: string, value: string) =>
      log.publisher.publish('last', [{ key, value: Buffer.from(value), headers: {} }]);
    for (const [key, value] of ['a1', 'b1', 'a2', 'a3', 'b2'].map((text) => [text.slice(0, 1), text] as const))
      await publish(key, value);
    nowMs += 86_400_000;
    const read = async (from: Positions) => {
      const seen: string[] = [];
      const end = await log.read('last', from, (records) => {
        seen.push(...records.map(({ value }) => value.toString()));
        return Promise.resolve();
      });
      return { seen, end };
    };
    await until(async () => (await read({})).seen.length === 2);
    expect(await read({})).toEqual({ seen: ['a3', 'b2'], end: { 0: '5' } });
    await publish('a', 'a4');
    expect((await read({ 0: '5' })).seen).toEqual(['a4']);
  });

  it('stops a group whose position is before the first record left, and never jumps', async () => {
    const log = await open();
    await log.topics.apply([{ name: 'short', partitions: 1, retentionMs: 1_000 }], { replication: 1, minIsr: 1 });
    await log.publisher.publish('short', [record('1')]);
    const [first, leaving] = await Listener.join(log, 'slow', ['short']);
    await until(() => first.handled.length === 1);
    await leaving.close();
    await log.publisher.publish('short', [record('2'), record('3')]);
    nowMs += 1_001;
    await log.publisher.publish('short', [record('4')]);

    await until(async () => {
      const [fresh, consumer] = await Listener.join(log, `reader ${Math.random()}`, ['short']);
      await until(() => fresh.values.includes('4'));
      await consumer.close();
      return fresh.values.length === 1;
    });
    const [late, consumer] = await Listener.join(log, 'slow', ['short']);
    await until(() => late.fatal !== undefined);
    expect([late.fatal?.name, late.handled, consumer.state]).toEqual(['OffsetOutOfRange', [], 'away']);
  });

  it('reads from the first remaining record if the position is before it', async () => {
    const log = await open();
    await log.topics.apply([{ name: 'short', partitions: 1, retentionMs: 1_000 }], { replication: 1, minIsr: 1 });
    await log.publisher.publish('short', [record('1'), record('2')]);
    nowMs += 1_001;
    await log.publisher.publish('short', [record('3')]);
    const read = async (from: Positions): Promise<readonly [readonly string[], Positions]> => {
      const seen: string[] = [];
      const positions = await log.read('short', from, (records) =>
        Promise.resolve(void seen.push(...records.map(({ value }) => value.toString()))),
      );
      return [seen, positions];
    };
    await until(async () => (await read({}))[0].length === 1);
    expect(await read({ 0: '1' })).toEqual([['3'], { 0: '3' }]);
  });

  it('stops the process of a consumer whose topic does not exist', async () => {
    const [listener] = await Listener.join(await open(), 'reader', ['nowhere']);
    await until(() => listener.fatal !== undefined);
    expect(listener.fatal?.message).toBe('topic nowhere does not exist');
  });
});
