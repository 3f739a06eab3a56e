import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { keepTemporaryFilesInMemory } from './memory';

let memory: string;
beforeEach(() => {
  memory = mkdtempSync(join(tmpdir(), 'opendsr-memory-'));
});
afterEach(() => {
  rmSync(memory, { recursive: true });
});

it('gives the run a folder of its own, and removes it with what was left in it', () => {
  const env: NodeJS.ProcessEnv = {};
  const remove = keepTemporaryFilesInMemory(env, { folder: memory, neededBytes: 1 });
  const { TMPDIR = '' } = env;
  expect(TMPDIR.startsWith(join(memory, 'opendsr-test-'))).toBe(true);
  expect(statSync(TMPDIR).mode & 0o7777).toBe(0o1777);
  writeFileSync(join(TMPDIR, 'left'), '');
  remove();
  expect([existsSync(TMPDIR), env]).toEqual([false, {}]);
});

it.each([
  ['memory has no room', {}, '', Infinity],
  ['the environment names another', { TMPDIR: '/elsewhere' }, '', 1],
  ['the system has no such memory', {}, 'missing', 1],
])('leaves the folder as it is where %s', (_, before, folder, neededBytes) => {
  const env: NodeJS.ProcessEnv = { ...before };
  keepTemporaryFilesInMemory(env, { folder: join(memory, folder), neededBytes })();
  expect(env).toEqual(before);
});
