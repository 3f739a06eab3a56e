import { execFile } from 'node:child_process';
import { cpSync, existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { repository } from '../e2e/repository';

let folder: string;
const inFolder = (file: string): string => join(folder, file);
const reports = (file: string): string => inFolder(join('reports', file));
const calls = (): string[] =>
  existsSync(inFolder('calls')) ? readFileSync(inFolder('calls'), 'utf8').trim().split('\n') : [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'programs-'));
  for (const part of ['tools/evidence', 'libs/vault/src/testing'])
    cpSync(repository(part), inFolder(part), { recursive: true });
  mkdirSync(inFolder('bin'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Stands for a program that is missing, or that does this. */
const plant = (name: string, script: string): void =>
  writeFileSync(inFolder(`bin/${name}`), `#!/usr/bin/env bash\necho ${name} >> ${inFolder('calls')}\n${script}\n`, {
    mode: 0o755,
  });
async function getPrograms(): Promise<string[]> {
  const env = { ...process.env, PATH: `${inFolder('bin')}:${process.env.PATH}` };
  const { stdout, stderr } = await promisify(execFile)(inFolder('tools/evidence/get-programs.sh'), { env });
  expect(stderr).toBe('');
  return stdout.split('\n').filter((line) => line.startsWith('No '));
}

it('names each program that cannot be got in one line with the reason, and fails nothing', async () => {
  for (const name of ['python3', 'go']) plant(name, `echo first >&2; echo no ${name} here >&2; exit 127`);
  expect(await getPrograms()).toEqual([
    'No KMS of LocalStack, for the tests of AWS KMS: no python3 here',
    'No server of Vault, for the tests of transit: no go here',
  ]);
});

it('builds the server of Vault once, and again when its sources have changed or the build has failed', async () => {
  plant('python3', 'exit 1');
  // `go build … -o FILE .`
  plant('go', 'while [ "$1" != -o ]; do shift; done; echo built > "$2"');
  const builds = () => calls().filter((name) => name === 'go').length;
  await getPrograms();
  await getPrograms();
  expect([builds(), existsSync(reports('transit-server/transit-server'))]).toEqual([1, true]);
  plant('go', 'exit 1');
  writeFileSync(inFolder('libs/vault/src/testing/transit-server/go.sum'), 'changed');
  await getPrograms();
  await getPrograms();
  expect([builds(), existsSync(reports('transit-server/transit-server'))]).toEqual([3, false]);
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
