import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readTimes, slowest } from './slowest';

it('lists the specs of all suites that took most of the processors, and the sum of all', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'opendsr-times-'));
  const line = (file: string, cpuSeconds: number) => `${JSON.stringify({ file, cpuSeconds, seconds: 2 })}\n`;
  await writeFile(join(folder, 'unit-times.ndjson'), line('a.spec.ts', 1) + line('b.spec.ts', 12.34));
  await writeFile(join(folder, 'e2e-times.ndjson'), line('c.e2e.spec.ts', 3));
  const lines = slowest(await readTimes(folder), 2);
  await rm(folder, { recursive: true });
  expect(lines.map((text) => text.trim().split(/\s+/).slice(0, 3))).toEqual([
    ['CPU', 's', 's'],
    ['12.3', '2.0', 'b.spec.ts'],
    ['3.0', '2.0', 'c.e2e.spec.ts'],
    ['16.3', 'all', '3'],
  ]);
});

it('has nothing to list where no suite has run', async () => {
  expect(await readTimes('no/such/folder')).toEqual([]);
});
