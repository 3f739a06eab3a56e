import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openLog } from '../open-log';
import { Listener } from '../testing/listener';
import { until } from '../testing/until';

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
});
