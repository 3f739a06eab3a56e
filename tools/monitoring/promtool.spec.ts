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

it('explains why a required program is missing, and skips an optional one', () => {
  const wanted = {
    name: 'promtool',
    variable: 'DSR_TEST_PROMTOOL',
    beside: [join(folder, 'none')],
    places: 'a folder',
    because: () => 'it could not be fetched',
  };
  expect(findProgram(wanted, undefined, { PATH: folder })).toBeUndefined();
  expect(() => findProgram(wanted, undefined, { PATH: folder, DSR_REQUIRE_SERVERS: '1' })).toThrow(
    'there is no promtool (DSR_TEST_PROMTOOL, PATH, a folder), and DSR_REQUIRE_SERVERS is set: it could not be fetched',
  );
});
