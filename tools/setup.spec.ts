import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Stands for npm: writes down how it was called, and makes a node_modules as `npm ci` would. */
const fakeNpm = (nodeVersion: string) => `
  const fs = require('node:fs');
  fs.appendFileSync('calls.txt', JSON.stringify({ args: process.argv.slice(2), env: process.env.NODE_ENV ?? process.env.npm_config_omit ?? 'clean' }) + '\\n');
  fs.rmSync('node_modules', { recursive: true, force: true });
  fs.mkdirSync('node_modules/.bin', { recursive: true });
  fs.writeFileSync('node_modules/.bin/node', '#!/bin/sh\\necho ${nodeVersion}\\n', { mode: 0o755 });
`;

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'opendsr-setup-'));
  await mkdir(join(folder, 'tools'));
  await cp(join(__dirname, 'setup.mjs'), join(folder, 'tools/setup.mjs'));
  await writeFile(join(folder, 'package-lock.json'), '{}');
  await writeFile(join(folder, 'npm.js'), fakeNpm('v24.21.0'));
});

afterEach(() => rm(folder, { recursive: true, force: true }));

async function setUp(env: Record<string, string> = {}) {
  const child = spawn(process.execPath, ['tools/setup.mjs'], { cwd: folder, env: { PATH: process.env.PATH, npm_execpath: join(folder, 'npm.js'), ...env } });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  const [code] = (await once(child, 'close')) as [number];
  return { code, output };
}

const calls = async () => (await readFile(join(folder, 'calls.txt'), 'utf8')).trim().split('\n').map((line) => JSON.parse(line) as { args: string[]; env: string });

it('installs with npm ci once, and again when the lockfile has changed', async () => {
  expect((await setUp()).code).toBe(0);
  expect((await setUp()).code).toBe(0);
  expect(await calls()).toHaveLength(1);
  await writeFile(join(folder, 'package-lock.json'), '{"changed": true}');
  expect((await setUp()).code).toBe(0);
  expect((await calls()).map(({ args }) => args[0])).toEqual(['ci', 'ci']);
});

it('installs when node_modules is missing, whatever was there before', async () => {
  await setUp();
  await rm(join(folder, 'node_modules'), { recursive: true });
  await setUp();
  expect(await calls()).toHaveLength(2);
});

it('installs one time where two set-ups run at once', async () => {
  const both = await Promise.all([setUp(), setUp()]);
  expect(both.map(({ code }) => code)).toEqual([0, 0]);
  expect(await calls()).toHaveLength(1);
});

it('installs the development tools also where the environment says production', async () => {
  await setUp({ NODE_ENV: 'production', npm_config_omit: 'dev' });
  expect((await calls())[0]?.env).toBe('clean');
});

it('says in one line that Node 24 did not arrive, and tries again the next time', async () => {
  await writeFile(join(folder, 'npm.js'), fakeNpm('v20.19.0'));
  const { code, output } = await setUp();
  expect(code).toBe(1);
  expect(output).toMatch(/^Set-up failed: .*v20\.19\.0, not Node 24/m);
  await writeFile(join(folder, 'npm.js'), fakeNpm('v24.21.0'));
  expect((await setUp()).code).toBe(0);
});
