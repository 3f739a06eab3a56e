import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findHelm } from './helm';

let folder: string;

const program = (path: string): string => {
  const file = join(folder, path);
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, '#!/bin/sh\n', { mode: 0o755 });
  return file;
};

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'opendsr-helm-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

it('takes the helm that is named, then the one of the PATH, then the one beside the test servers', () => {
  const [named, path, beside] = [program('named/helm3'), program('bin/helm'), program('tools/helm')];
  const servers = join(folder, 'servers');
  expect(findHelm({ DSR_TEST_HELM: named, PATH: join(folder, 'bin'), DSR_TEST_SERVERS: servers })).toBe(named);
  expect(findHelm({ PATH: `${join(folder, 'none')}:${join(folder, 'bin')}`, DSR_TEST_SERVERS: servers })).toBe(path);
  expect(findHelm({ PATH: join(folder, 'none'), DSR_TEST_SERVERS: servers })).toBe(beside);
});

it('refuses one that is named and does not work', () => {
  expect(() => findHelm({ DSR_TEST_HELM: join(folder, 'none') })).toThrow('DSR_TEST_HELM names no program');
});

it('does without, unless what needs it is required', () => {
  expect(findHelm({ PATH: folder })).toBeUndefined();
  expect(() => findHelm({ PATH: folder, DSR_REQUIRE_SERVERS: '1' })).toThrow('DSR_REQUIRE_SERVERS is set');
});
