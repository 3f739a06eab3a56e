import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { SqliteFile } from '@opendsr-service/storage';
import { silentLogger } from '../consumption/silent-logger';
import { openLog } from '../open-log';
import { Listener } from '../testing/listener';
import { until } from '../testing/until';
import { EmbeddedLog } from './embedded-log';
import { LOOK_MS } from './other-writers';

describe('a consumer of the embedded log', () => {
  const folder = mkdtempSync(join(tmpdir(), 'consumer-'));

  afterAll(() => rmSync(folder, { recursive: true }));

  it('hands out few records at first, and more once these were quick', async () => {
    const log = await openLog({ embedded: { file: join(folder, 'log.db') } });
    await log.topics.apply([{ name: 'topic', partitions: 1, retentionMs: -1 }], { replication: 1, minIsr: 1 });
    await log.publisher.publish(
      'topic',
      Array.from({ length: 100 }, (_, n) => ({ key: `k${n}`, value: '', headers: {} })),
    );
    const [listener] = await Listener.join(log, 'group', ['topic']);
    await until(() => listener.handled.length === 100);
    expect(listener.calls.map((call) => call.length)).toEqual([16, 32, 52]);
    await log.close();
  });

  it('pauses while the disk is full, and hands the records out again whose position it could not write', async () => {
    const file = SqliteFile.open(join(folder, 'full.db'));
    const log = await EmbeddedLog.open({ file, now: Date.now, logger: silentLogger });
    await log.topics.apply([{ name: 'topic', partitions: 1, retentionMs: -1 }]);
    await log.publisher.publish('topic', [{ key: 'k', value: '', headers: {} }]);
    const full = Object.assign(new Error('database or disk is full'), { code: 'ERR_SQLITE_ERROR', errcode: 13 });
    const writing = jest.spyOn(file, 'write').mockRejectedValueOnce(full);
    const [listener] = await Listener.join(log, 'full', ['topic']);
    await until(async () => (await log.lag('full', ['topic'])).every(({ lag }) => lag === 0));
    expect([listener.handled.length, writing.mock.calls.length, listener.fatal]).toEqual([2, 2, undefined]);
    await log.close();
    await file.close();
  });

  it('says while the disk is full that nothing can be published, and publishes once there is space', async () => {
    const file = SqliteFile.open(join(folder, 'unwritable.db'));
    const log = await EmbeddedLog.open({ file, now: Date.now, logger: silentLogger });
    await log.topics.apply([{ name: 'topic', partitions: 1, retentionMs: -1 }]);
    const limitPages = (pages: number) => file.write((db) => db.exec(`PRAGMA max_page_count = ${pages}`));
    const publish = () => log.publisher.publish('topic', [{ key: 'k', value: 'x'.repeat(100_000), headers: {} }]);
    expect(log.publisher.available).toBe(true);
    await limitPages(1);
    await expect(publish()).rejects.toMatchObject({ errcode: 13 });
    expect(log.publisher.available).toBe(false);
    await limitPages(10_000);
    await until(() => log.publisher.available);
    await publish();
    await log.close();
    await file.close();
  });

  it('looks at the file once a second while nothing comes, however many topics there are', async () => {
    const file = SqliteFile.open(join(folder, 'idle.db'));
    const log = await EmbeddedLog.open({ file, now: Date.now, logger: silentLogger });
    const topics = ['one', 'two', 'three'];
    await log.topics.apply(topics.map((name) => ({ name, partitions: 1, retentionMs: -1 })));
    jest.useFakeTimers({
      doNotFake: [
        ...(['Date', 'hrtime', 'performance', 'nextTick', 'queueMicrotask'] as const),
        ...(['setTimeout', 'clearTimeout', 'setImmediate', 'clearImmediate'] as const),
      ],
    });
    try {
      const [listener] = await Listener.join(log, 'idle', topics);
      await log.publisher.publish('two', [{ key: 'k', value: 'first', headers: {} }]);
      await until(async () => (await log.lag('idle', topics)).every(({ lag }) => lag === 0));
      // The own writes show too.
      jest.advanceTimersByTime(LOOK_MS);
      await turn();
      const reading = jest.spyOn(file, 'read');
      for (let looks = 0; looks < 30; looks++) {
        jest.advanceTimersByTime(LOOK_MS);
        await turn();
      }
      expect([listener.handled.length, reading.mock.calls.length]).toEqual([1, 30]);
      await log.close();
      expect(jest.getTimerCount()).toBe(0);
    } finally {
      jest.useRealTimers();
      await file.close();
    }
  });
});
