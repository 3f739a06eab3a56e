// Installs what the lockfile names, once for each state of the lockfile. Runs before `npm start`, `npm test` and the other
// scripts, on the Node that the user has (20.19 or later), so it is plain JavaScript without dependencies.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const modules = join(root, 'node_modules');
const node24 = join(modules, '.bin/node');
const lockfile = join(root, 'package-lock.json');
const stamp = join(modules, '.opendsr-installed');
const sha256 = (text) => createHash('sha256').update(text).digest('hex');

/** The creator of a lock writes into it at once. */
const EMPTY_MS = 10_000;

class SetupError extends Error {}

function checkNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  throw new SetupError(`Node 20.19 or later is needed, this is ${process.version}`);
}

/** The state that an installation is for: another lockfile or another kind of machine needs another one. */
const wanted = () => sha256(`${process.platform} ${process.arch}\n${readFileSync(lockfile, 'utf8')}`);

const isInstalled = (state) => textOf(stamp) === state;

/** The content of a file; undefined if it does not exist, because another set-up may remove it at any time. */
function textOf(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
    return '';
  }
}

/**
 * The outer npm hands its own flags down as npm_config_*: `npm --silent start` would silence errors here, and NODE_ENV=production
 * would leave the build tools out. It also puts node_modules/.bin first on the path, whose Node is about to be replaced.
 */
function cleanEnvironment() {
  const env = { ...process.env };
  for (const name of [
    'loglevel',
    'dry_run',
    'omit',
    'include',
    'production',
    'only',
    'workspace',
    'workspaces',
    'global',
    'json',
    'package_lock_only',
  ])
    delete env[`npm_config_${name}`];
  delete env.NODE_ENV;
  delete env.NODE_OPTIONS;
  env.PATH = (env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => !folder.startsWith(modules))
    .join(delimiter);
  return env;
}

/** Runs npm: the one that runs this script, else that on the path. */
function npm(env, command, ...rest) {
  const cli = process.env.npm_execpath;
  const [program, first] = cli?.endsWith('.js') ? ['node', [cli]] : ['npm', []];
  const { status, error } = spawnSync(program, [...first, command, ...rest, '--loglevel=error'], {
    cwd: root,
    env,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (error) throw new SetupError(`npm ${command} could not be started: ${error.message}`);
  if (status !== 0) throw new SetupError(`npm ${command} failed with exit code ${status}; what it said is above`);
}

/**
 * Older npm does not know the list of allowed scripts in package.json and would run the install scripts of all
 * packages, telemetry among them.
 * So npm runs none, and then that of the package "node" alone.
 */
function install(state) {
  const started = Date.now();
  const env = cleanEnvironment();
  console.log('Installing dependencies from package-lock.json, about a minute the first time…');
  rmSync(stamp, { force: true });
  npm(env, 'ci', '--ignore-scripts', '--no-audit', '--no-fund');
  // The only install script that is needed: it fetches the binary of Node 24.
  npm(env, 'rebuild', 'node', '--ignore-scripts=false');
  checkNode24();
  writeFileSync(stamp, state);
  console.log(`Installed in ${Math.round((Date.now() - started) / 1000)} s.`);
}

/** A plain `npm ci` or `npm install` leaves no stamp, but at its end npm notes in node_modules what is there. */
function isInstalledByNpm() {
  const installed = packagesOf(join(modules, '.package-lock.json'));
  const { '': whole, ...locked } = packagesOf(lockfile) ?? {};
  if (!installed || !whole || !versionOfNode24().startsWith('v24.')) return false;
  // What is optional is installed on other kinds of machines.
  const isAsLocked = (path) => JSON.stringify(installed[path]) === JSON.stringify(locked[path]);
  const isAllThere = Object.keys(locked).every(
    (path) => isAsLocked(path) || (locked[path].optional && !installed[path]),
  );
  return isAllThere && Object.keys(installed).every(isAsLocked);
}

/** Undefined where there is no such file, or half of it. */
function packagesOf(file) {
  try {
    return JSON.parse(textOf(file)).packages;
  } catch {
    return undefined;
  }
}

function adopt(state) {
  if (!isInstalledByNpm()) return false;
  writeFileSync(stamp, state);
  return true;
}

function versionOfNode24() {
  const { stdout } = spawnSync(node24, ['--version'], { encoding: 'utf8', env: { ...process.env, NODE_OPTIONS: '' } });
  return stdout?.trim() ?? '';
}

function checkNode24() {
  const version = versionOfNode24();
  if (version.startsWith('v24.')) return;
  rmSync(stamp, { force: true });
  throw new SetupError(
    `${node24} is ${version || 'missing'}, not Node 24: the install script of the package "node" did not fetch it; what it said is above`,
  );
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** Makes a lock of this process's own. False: another has it. */
function take(lock) {
  try {
    writeFileSync(lock, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    return false;
  }
}

/** Whether the holder of a lock died with it. */
function isLeft(lock) {
  const holder = Number(textOf(lock));
  if (holder > 0) return !isAlive(holder);
  // An empty file is one that its maker is about to write, or died before he wrote it.
  const found = statSync(lock, { throwIfNoEntry: false });
  return found?.size === 0 && Date.now() - found.mtimeMs > EMPTY_MS;
}

/**
 * Removes a lock whose holder died. Two set-ups may see that at once, and the second would remove the new lock of the
 * first. So it checks again under a lock for the removal; otherwise only the holder removes a lock. The removal lock is
 * so short that a set-up that finds it left over just removes it.
 */
function removeLeft(lock) {
  const removal = `${lock}.removal`;
  if (!take(removal)) {
    if (isLeft(removal)) rmSync(removal, { force: true });
    return;
  }
  try {
    if (isLeft(lock)) rmSync(lock, { force: true });
  } finally {
    rmSync(removal, { force: true });
  }
}

/** Two set-ups in one checkout would remove each other's files. The lock lies outside of node_modules, which npm ci empties. */
async function withLock(work) {
  const lock = join(tmpdir(), `opendsr-setup-${sha256(root).slice(0, 16)}.lock`);
  for (let waits = 0; ; waits += 1) {
    if (take(lock)) break;
    if (isLeft(lock)) removeLeft(lock);
    if (waits === 1) console.log('Waiting for another set-up of this folder to end…');
    await sleep(200);
  }
  try {
    work();
  } finally {
    rmSync(lock, { force: true });
  }
}

try {
  checkNode();
  const state = wanted();
  if (!isInstalled(state)) await withLock(() => isInstalled(state) || adopt(state) || install(state));
  checkNode24();
} catch (error) {
  if (!(error instanceof SetupError)) throw error;
  console.error(`Set-up failed: ${error.message}.`);
  process.exitCode = 1;
}
