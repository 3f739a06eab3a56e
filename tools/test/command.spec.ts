import { getPriority, tmpdir } from 'node:os';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './command';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'opendsr-command-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

it.each([
  ['nobody', 0],
  ['cluster', 3],
  ['all', 6],
] as const)('a command that yields to %s runs, with its children, %i behind this process', async (yieldsTo, behind) => {
  const file = join(folder, 'priority');
  const expected = Math.min(19, getPriority() + behind);
  const child = `require('node:fs').writeFileSync(${JSON.stringify(file)}, String(require('node:os').getPriority()))`;
  const parent = `const timer = setInterval(() => {
    if (require('node:os').getPriority() !== ${expected}) return;
    clearInterval(timer);
    require('node:child_process').execFileSync(process.execPath, ['-e', ${JSON.stringify(child)}]);
  }, 10)`;
  expect(await run(process.execPath, ['-e', parent], {}, { yieldsTo })).toBe(true);
  expect(Number(readFileSync(file, 'utf8'))).toBe(expected);
});
