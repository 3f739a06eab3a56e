import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openLog } from '../open-log';
import type { EventLog } from '../port';
import { bundle, run } from '../testing/bundled-child';
import { Listener } from '../testing/listener';
import { until } from '../testing/until';
import type { WritingChildTask } from '../testing/writing-child';

describe('an event log file that another process writes, like the command line beside a service', () => {
  let folder: string;
  let log: EventLog;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'log-'));
    log = await openLog({ embedded: { file: join(folder, 'log.db') } });
    await log.topics.apply([{ name: 'kept', partitions: 1, retentionMs: -1 }], { replication: 1, minIsr: 1 });
  });

  afterEach(async () => {
    await log.close();
    rmSync(folder, { recursive: true });
  });

  it('gives its records to a waiting consumer, and to a read to the end', async () => {
    const [listener] = await Listener.join(log, 'reader', ['kept']);
    await log.publisher.publish('kept', [{ key: 'k', value: 'mine', headers: {} }]);
    await until(() => listener.handled.length === 1);
    await bundle(join(__dirname, '../testing/writing-child.ts'), join(folder, 'child.mjs'));
    const task: WritingChildTask = { file: join(folder, 'log.db'), topic: 'kept', value: 'theirs' };
    const [code] = (await once(run(join(folder, 'child.mjs'), task), 'exit')) as [number];
    expect(code).toBe(0);
    const read: string[] = [];
    await log.read('kept', {}, (records) =>
      Promise.resolve(void read.push(...records.map(({ value }) => value.toString()))),
    );
    // Nothing rings here, so this waits for a look at the file; a look that came late would fail it.
    await until(() => listener.handled.length === 2);
    expect([listener.values, read]).toEqual([
      ['mine', 'theirs'],
      ['mine', 'theirs'],
    ]);
  });
});
