import { execFile } from 'node:child_process';
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { repository } from '../e2e/repository';

let folder: string;
const inFolder = (file: string): string => join(folder, file);

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'programs-'));
  for (const part of ['tools/evidence', 'libs/vault/src/testing'])
    cpSync(repository(part), inFolder(part), { recursive: true });
  mkdirSync(inFolder('bin'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Stands for a program that is missing, or that does this. */
const plant = (name: string, script: string): void =>
  writeFileSync(inFolder(`bin/${name}`), `#!/usr/bin/env bash\n${script}\n`, {
    mode: 0o755,
  });
async function getPrograms(): Promise<string[]> {
  const env = { ...process.env, PATH: `${inFolder('bin')}:${process.env.PATH}` };
  const { stdout, stderr } = await promisify(execFile)(inFolder('tools/evidence/get-programs.sh'), { env });
  expect(stderr).toBe('');
  return stdout.split('\n').filter((line) => line.startsWith('No '));
}

it('names each program that cannot be got in one line with the reason, and fails nothing', async () => {
  plant('python3', 'echo first >&2; echo no python3 here >&2; exit 127');
  expect(await getPrograms()).toEqual(['No KMS of LocalStack, for the tests of AWS KMS: no python3 here']);
});

it('gets every program that has a script', () => {
  const script = readFileSync(repository('tools/evidence/get-programs.sh'), 'utf8');
  const others = globSync(repository('tools/evidence/get-*.sh')).map((file) => basename(file));
  expect(
    [...script.matchAll(/^\.\/(.*)$/gm)]
      .map(([, name]) => name)
      .concat('get-programs.sh')
      .sort(),
  ).toEqual(others.sort());
});
