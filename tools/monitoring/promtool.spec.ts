import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findProgram } from '../find-program';
import { findPromtool } from './promtool';

let folder: string;

const program = (path: string): string => {
  const file = join(folder, path);
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, '#!/bin/sh\n', { mode: 0o755 });
  return file;
};

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'opendsr-promtool-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

it('takes the promtool that is named before the one of the PATH', () => {
  const [named, onPath] = [program('named/promtool2'), program('bin/promtool')];
  expect(findPromtool({ DSR_TEST_PROMTOOL: named, PATH: join(folder, 'bin') })).toBe(named);
  expect(findPromtool({ PATH: join(folder, 'bin') })).toBe(onPath);
});

it('refuses one that is named and does not work', () => {
  expect(() => findPromtool({ DSR_TEST_PROMTOOL: join(folder, 'none') })).toThrow('DSR_TEST_PROMTOOL names no program');
});

it('says why a program is not there where it is required, and does without where it is not', () => {
  const wanted = {
    name: 'promtool',
    variable: 'DSR_TEST_PROMTOOL',
    beside: [join(folder, 'none')],
    places: 'a folder',
    because: () => 'nobody could fetch it',
  };
  expect(findProgram(wanted, undefined, { PATH: folder })).toBeUndefined();
  expect(() => findProgram(wanted, undefined, { PATH: folder, DSR_REQUIRE_SERVERS: '1' })).toThrow(
    'there is no promtool (DSR_TEST_PROMTOOL, PATH, a folder), and DSR_REQUIRE_SERVERS is set: nobody could fetch it',
  );
});
