// Jest's environment for specs that run in the realm of their process (see runtime.cjs). What a spec changed in the process is
// put back when the file ends, so that the next file of the same process starts as the first did.
const { appendFileSync, chmodSync, mkdtempSync, readFileSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { dirname, join, relative } = require('node:path');
const { inspect } = require('node:util');
const { ModernFakeTimers } = require('@jest/fake-timers');
const { ModuleMocker } = require('jest-mock');
const { guardChildren, leaveToGuard } = require('../guard.mjs');
const firstWorkers = require('./first-workers.json');
const { sharedKeys } = require('./rsa-keys.cjs');

// Processes that a spec starts end with this one, however a run is broken off.
const root = dirname(dirname(__dirname));
guardChildren(root);

// So does what they and specs leave of temporary files. As the system's own folder: some start processes of another account.
const temporary = mkdtempSync(join(tmpdir(), 'opendsr-specs-'));
chmodSync(temporary, 0o1777);
process.env.TMPDIR = temporary;
leaveToGuard(temporary);

// Tracks run beside each other, and a worker takes its ports by its number (freePorts): no two tracks have the same numbers.
const first = firstWorkers[process.env.DSR_SUITE ?? 'unit'];
process.env.JEST_WORKER_ID = String(Number(process.env.JEST_WORKER_ID ?? 1) + first);

const keys = sharedKeys(SubtleCrypto.prototype.generateKey);
SubtleCrypto.prototype.generateKey = keys.generateKey;

/**
 * Where errors go that come when no file runs any more, and ends of the process inside of a file. Jest overlooks them: jest-circus
 * listens only while a file runs, and jest-worker starts a process that ended badly again, without a word.
 */
const strays = process.env.DSR_SPEC_STRAYS;
const last = { file: undefined, isRunning: false };

const noteStray = (name, message) => appendFileSync(strays, `${JSON.stringify({ name, message })}\n`);
const noteError = (error) => noteStray(`${last.file}: an error after its end`, inspect(error));

function listenForStrays() {
  if (!strays) return;
  for (const event of ['uncaughtException', 'unhandledRejection'])
    if (!process.listeners(event).includes(noteError)) process.on(event, noteError);
}

listenForStrays();
if (strays)
  process.on('exit', (code) => {
    if (last.isRunning) noteStray(`${last.file}: it ended its process, with code ${code}`);
  });

/** Globals with a meaning for jest-circus: a time-out or a number of retries is one file's. */
const settings = [
  'TEST_TIMEOUT_SYMBOL',
  'RETRY_TIMES',
  'RETRY_IMMEDIATELY',
  'LOG_ERRORS_BEFORE_RETRY',
  'WAIT_BEFORE_RETRY',
].map(Symbol.for);

class SharedRealm {
  global = globalThis;

  constructor({ projectConfig }, { testPath }) {
    Object.assign(last, { file: relative(root, testPath), isRunning: true });
    this.end = measure(testPath);
    keys.startFile();
    this.moduleMocker = new ModuleMocker(globalThis);
    this.fakeTimers = null;
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
    this.conditions = projectConfig.testEnvironmentOptions.customExportConditions ?? ['node', 'node-addons'];
    this.restore = snapshot();
    Error.stackTraceLimit = 100;
  }

  async setup() {}

  async teardown() {
    this.fakeTimersModern.dispose();
    this.restore();
    this.end();
    last.isRunning = false;
    listenForStrays();
  }

  exportConditions() {
    return this.conditions;
  }

  getVmContext() {
    return null;
  }
}

/** Notes the time of a file for `npm run test:slowest`: CPU seconds of this process and its ended children. */
function measure(file) {
  const times = process.env.DSR_SPEC_TIMES;
  if (!times) return () => undefined;
  const [startedAt, cpu, children] = [Date.now(), process.cpuUsage(), cpuOfChildren()];
  return () => {
    const { user, system } = process.cpuUsage(cpu);
    const cpuSeconds = (user + system) / 1_000_000 + cpuOfChildren() - children;
    const seconds = (Date.now() - startedAt) / 1_000;
    appendFileSync(times, `${JSON.stringify({ file: relative(root, file), cpuSeconds, seconds })}\n`);
  };
}

/** Linux counts 100 ticks a second; 0 on other systems. */
function cpuOfChildren() {
  try {
    const fields = readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1).split(' ');
    return (Number(fields[13]) + Number(fields[14])) / 100;
  } catch {
    return 0;
  }
}

/** Saves the state of the process. The returned function restores it. */
function snapshot() {
  const env = { ...process.env };
  const { exitCode, exit, argv } = process;
  const args = [...argv];
  const folder = process.cwd();
  const listeners = new Map(process.eventNames().map((event) => [event, process.rawListeners(event)]));
  const globals = Object.getOwnPropertyDescriptors(globalThis);
  return () => {
    for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
    for (const [name, value] of Object.entries(env)) if (process.env[name] !== value) process.env[name] = value;
    process.exitCode = exitCode;
    process.exit = exit;
    process.argv = argv;
    argv.splice(0, Infinity, ...args);
    if (process.cwd() !== folder) process.chdir(folder);
    for (const event of process.eventNames())
      for (const listener of process.rawListeners(event))
        if (!listeners.get(event)?.includes(listener)) process.removeListener(event, listener);
    restoreGlobals(globals);
    for (const setting of settings) delete globalThis[setting];
  };
}

/** Names that a package set stay: the package is loaded once for all files. Names that were there get their value back. */
function restoreGlobals(before) {
  for (const [name, descriptor] of Object.entries(before)) {
    if (!('value' in descriptor) || globalThis[name] === descriptor.value) continue;
    Object.defineProperty(globalThis, name, descriptor);
  }
}

module.exports = SharedRealm;
module.exports.TestEnvironment = SharedRealm;
