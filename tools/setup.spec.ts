import { execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, realpath, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { until } from './receiver/until';
import { itInFull, representative } from './testing/form';

/**
 * Stands for npm: writes down how it was called to install, and makes a node_modules as `npm ci` would, once it may;
 * `npm rebuild node` brings Node.
 */
const fakeNpm = (nodeVersion: string, mayEnd = 'true') => `
  const fs = require('node:fs');
  if (process.argv[2] === 'rebuild') {
    fs.writeFileSync('node_modules/.bin/node', '#!/bin/sh\\necho ${nodeVersion}\\n', { mode: 0o755 });
    process.exit();
  }
  fs.appendFileSync('calls.txt', JSON.stringify({ args: process.argv.slice(2), env: process.env.NODE_ENV ?? process.env.npm_config_omit ?? 'clean' }) + '\\n');
  while (!(${mayEnd})) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
  fs.rmSync('node_modules', { recursive: true, force: true });
  fs.mkdirSync('node_modules/.bin', { recursive: true });
`;

let folder: string;

beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'opendsr-setup-')));
  await mkdir(join(folder, 'tools'));
  await cp(join(__dirname, 'setup.mjs'), join(folder, 'tools/setup.mjs'));
  await writeFile(join(folder, 'package-lock.json'), '{}');
  await writeFile(join(folder, 'npm.js'), fakeNpm('v24.21.0'));
});

afterEach(() => rm(folder, { recursive: true, force: true }));

async function setUp(env: Record<string, string> = {}) {
  const child = spawn(process.execPath, ['tools/setup.mjs'], {
    cwd: folder,
    env: { PATH: process.env.PATH, TMPDIR: tmpdir(), npm_execpath: join(folder, 'npm.js'), ...env },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  const [code] = (await once(child, 'close')) as [number];
  return { code, output };
}

const calls = async () =>
  (await readFile(join(folder, 'calls.txt'), 'utf8'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { args: string[]; env: string });

it('installs with npm ci once, and again when the lockfile has changed', async () => {
  expect((await setUp()).code).toBe(0);
  expect((await setUp()).code).toBe(0);
  expect(await calls()).toHaveLength(1);
  await writeFile(join(folder, 'package-lock.json'), '{"changed": true}');
  expect((await setUp()).code).toBe(0);
  expect((await calls()).map(({ args }) => args[0])).toEqual(['ci', 'ci']);
});

itInFull('installs if node_modules is missing, after any earlier state', async () => {
  await setUp();
  await rm(join(folder, 'node_modules'), { recursive: true });
  await setUp();
  expect(await calls()).toHaveLength(2);
});

itInFull('installs one time where two set-ups run at once', async () => {
  const both = await Promise.all([setUp(), setUp()]);
  expect(both.map(({ code }) => code)).toEqual([0, 0]);
  expect(await calls()).toHaveLength(1);
});

describe('after a plain npm ci', () => {
  const LEFT = { version: '1.0.0', dependencies: { right: '1' } };
  const lock = (packages: object) => JSON.stringify({ packages });
  const OPTIONAL = { version: '1.0.0', optional: true };
  const LOCKED = { '': {}, 'node_modules/left': LEFT, 'node_modules/other-machine': OPTIONAL };

  const V24 = 'v24.21.0';

  async function installed(packages: object, nodeVersion = V24): Promise<void> {
    await writeFile(join(folder, 'package-lock.json'), lock(LOCKED));
    await mkdir(join(folder, 'node_modules/.bin'), { recursive: true });
    await writeFile(join(folder, 'node_modules/.bin/node'), `#!/bin/sh\necho ${nodeVersion}\n`, { mode: 0o755 });
    await writeFile(join(folder, 'node_modules/.package-lock.json'), lock(packages));
  }

  it('installs nothing', async () => {
    await installed({ 'node_modules/left': LEFT });
    expect([(await setUp()).code, existsSync(join(folder, 'calls.txt'))]).toEqual([0, false]);
    await writeFile(join(folder, 'package-lock.json'), '{"changed": true}');
    expect([(await setUp()).code, (await calls()).length]).toEqual([0, 1]);
  });

  it('installs again where npm was killed as it noted what it installed', async () => {
    await installed({ 'node_modules/left': LEFT });
    await writeFile(join(folder, 'node_modules/.package-lock.json'), '{"packages": {');
    expect([(await setUp()).code, (await calls()).length]).toEqual([0, 1]);
  });

  it.each<[string, object, string]>([
    ['of another lockfile', { 'node_modules/left': { ...LEFT, version: '1.0.1' } }, V24],
    ['with a package that is not locked', { 'node_modules/left': LEFT, 'node_modules/more': LEFT }, V24],
    ['without all packages', {}, V24],
    ['without Node 24', { 'node_modules/left': LEFT }, 'v22.1.0'],
  ])('installs again %s', async (_what, packages, nodeVersion) => {
    await installed(packages, nodeVersion);
    expect([(await setUp()).code, (await calls()).length]).toEqual([0, 1]);
  });
});

/** No machine gives a process such a number. */
const NOBODY = 4_194_305;

const REMOVAL = '.removal';
const lockFile = (suffix = '') =>
  join(tmpdir(), `opendsr-setup-${createHash('sha256').update(folder).digest('hex').slice(0, 16)}.lock${suffix}`);

/** A lock on the set-up of the folder, or on the removal of that lock, as that process holds it. */
const plantLock = (pid: number, suffix = '') => writeFile(lockFile(suffix), String(pid));

/** The same as its maker leaves it that dies before he writes it, or as it is when he is about to. */
async function plantEmpty(ageS: number, suffix = ''): Promise<void> {
  await writeFile(lockFile(suffix), '');
  const made = Date.now() / 1_000 - ageS;
  await utimes(lockFile(suffix), made, made);
}

/** An environment in which something happens before a lock is read, and something after it. */
async function onLook({ before = '', after = '' }): Promise<Record<string, string>> {
  await writeFile(
    join(folder, 'look.cjs'),
    `
    const fs = require('node:fs');
    const { readFileSync } = fs;
    fs.readFileSync = (path, ...rest) => {
      if (!String(path).endsWith('.lock')) return readFileSync(path, ...rest);
      ${before}
      const text = readFileSync(path, ...rest);
      ${after}
      return text;
    };
    require('node:module').syncBuiltinESMExports();
  `,
  );
  return { NODE_OPTIONS: `--require=${join(folder, 'look.cjs')}` };
}

itInFull('goes on if the other set-up ends while its lock is read', async () => {
  await plantLock(process.pid);
  expect(await setUp(await onLook({ before: 'fs.rmSync(path, { force: true });' }))).toMatchObject({ code: 0 });
  expect(await calls()).toHaveLength(1);
});

it('installs one time where two set-ups find the lock of one that died, and the second removes it late', async () => {
  // The first one's npm does not end before the second has gone on: to look again, or to call npm as well.
  await writeFile(
    join(folder, 'npm.js'),
    fakeNpm(
      'v24.21.0',
      "fs.readFileSync('looks.txt').length > 1 || fs.readFileSync('calls.txt', 'utf8').split('\\n').length > 2",
    ),
  );
  await plantLock(NOBODY);
  const second = setUp(
    await onLook({
      after:
        "fs.appendFileSync('looks.txt', '.'); while (!fs.existsSync('calls.txt')) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);",
    }),
  );
  await until('the second set-up to look', () => existsSync(join(folder, 'looks.txt')));
  const first = setUp();
  expect((await Promise.all([first, second])).map(({ code }) => code)).toEqual([0, 0]);
  expect(await calls()).toHaveLength(1);
});

const deaths: readonly [string, () => Promise<unknown>][] = [
  [
    'as it removed the lock of another that had died',
    () => Promise.all([plantLock(NOBODY), plantLock(NOBODY, REMOVAL)]),
  ],
  ['as it began to remove such a lock', () => Promise.all([plantLock(NOBODY), plantEmpty(60, REMOVAL)])],
  ['before it had written its lock', () => plantEmpty(60)],
];
it.each(representative(deaths))('installs where the one before died %s', async (_when, plant) => {
  await plant();
  expect((await setUp()).code).toBe(0);
  expect(await calls()).toHaveLength(1);
});

const others: readonly [string, () => Promise<unknown>][] = [
  ['runs', () => plantLock(process.pid)],
  // Of the future, so that it is young however slow the machine is.
  ['is about to write its lock', () => plantEmpty(-3_600)],
];
itInFull.each(others)('waits for another set-up that %s, and says so', async (_what, plant) => {
  await plant();
  const { code, output } = await setUp(
    await onLook({
      before:
        'globalThis.looks = (globalThis.looks ?? 0) + 1; if (globalThis.looks === 2) fs.rmSync(path, { force: true });',
    }),
  );
  expect(code).toBe(0);
  expect(output).toContain('Waiting for another set-up');
});

itInFull('installs the development tools also where the environment says production', async () => {
  await setUp({ NODE_ENV: 'production', npm_config_omit: 'dev' });
  expect((await calls())[0]?.env).toBe('clean');
});

itInFull('says in one line that Node 24 did not arrive, and tries again the next time', async () => {
  await writeFile(join(folder, 'npm.js'), fakeNpm('v20.19.0'));
  const { code, output } = await setUp();
  expect(code).toBe(1);
  expect(output).toMatch(/^Set-up failed: .*v20\.19\.0, not Node 24/m);
  await writeFile(join(folder, 'npm.js'), fakeNpm('v24.21.0'));
  expect((await setUp()).code).toBe(0);
});

/**
 * Runs npm without the settings that an outer npm hands down as npm_config_*: one of them forbids install scripts
 * that package.json does not list.
 */
const npm = (...args: string[]) =>
  promisify(execFile)('npm', [...args, '--loglevel=error'], { cwd: folder, env: { PATH: process.env.PATH } });

/** A package in a tarball, which writes down that its install script ran. The script of the one named "node" also makes its binary. */
async function pack(name: string, script: string): Promise<string> {
  const source = join(folder, 'sources', name);
  await mkdir(source, { recursive: true });
  await writeFile(
    join(source, 'package.json'),
    JSON.stringify({
      name,
      version: '1.0.0',
      bin: { [name]: `bin/${name}` },
      scripts: { preinstall: 'node install.js' },
    }),
  );
  await writeFile(
    join(source, 'install.js'),
    `require('node:fs').writeFileSync(${JSON.stringify(join(folder, `${name}.ran`))}, ''); ${script}`,
  );
  await npm('pack', source, '--ignore-scripts');
  return `file:${name}-1.0.0.tgz`;
}

itInFull('runs with a real npm the install script of the package "node", and of no other package', async () => {
  const makeNode =
    "require('node:fs').mkdirSync('bin', { recursive: true }); require('node:fs').writeFileSync('bin/node', '#!/bin/sh\\necho v24.21.0\\n', { mode: 0o755 });";
  const dependencies = { node: await pack('node', makeNode), planted: await pack('planted', '') };
  await writeFile(join(folder, 'package.json'), JSON.stringify({ name: 'root', private: true, dependencies }));
  await npm('install', '--package-lock-only', '--offline');
  const { code, output } = await setUp({ npm_execpath: '', npm_config_offline: 'true' });
  expect(output).toContain('Installed in');
  expect(code).toBe(0);
  expect([existsSync(join(folder, 'node.ran')), existsSync(join(folder, 'planted.ran'))]).toEqual([true, false]);
});
