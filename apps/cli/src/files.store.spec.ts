import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { files } from './files.store';

let folder: string;
const named = (name: string) => ({ file: join(folder, name), text: name, mode: 0o600 });
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'files-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

it('writes new files whole, for their owner alone, and leaves no drafts', async () => {
  await files.writeNew([named('a'), named('b')]);
  expect(readdirSync(folder).sort()).toEqual(['a', 'b']);
  expect([readFileSync(join(folder, 'b'), 'utf8'), statSync(join(folder, 'a')).mode & 0o777]).toEqual(['b', 0o600]);
});

it.each([
  ['is in no folder', 'absent/b', /absent\/b cannot be written \(ENOENT\)/],
  ['is there already', 'kept', /kept exists already and is not overwritten/],
])('writes none where one of them %s', async (_what, other, why) => {
  await files.writeNew([named('kept')]);
  await expect(files.writeNew([named('a'), named(other)])).rejects.toThrow(why);
  expect([readdirSync(folder), readFileSync(join(folder, 'kept'), 'utf8')]).toEqual([['kept'], 'kept']);
});

it('makes a file once, however many make it at the same time', async () => {
  const outcomes = await Promise.allSettled(Array.from({ length: 10 }, () => files.writeNew([named('a')])));
  expect([outcomes.filter(({ status }) => status === 'fulfilled').length, readdirSync(folder)]).toEqual([1, ['a']]);
});
