import { spawn, type ChildProcess } from 'node:child_process';
import { channel } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import { until } from './receiver/until';
import { itInFull, representative } from './testing/form';

const root = join(__dirname, '..');
const guard = JSON.stringify(join(__dirname, 'guard.mjs'));
const node = (script: string) => ['--input-type=module', '--eval', script];
/** A program that does nothing until it is ended; `deaf`: only by force. */
const idle = (deaf = false) =>
  `${deaf ? "process.on('SIGTERM', () => undefined); " : ''}console.log(process.pid); setInterval(() => undefined, 60_000);`;

/** A program that starts another one, whose output is its own. */
const starting = (script: string, first = '') => `
  ${first}
  const { spawn } = await import('node:child_process');
  spawn(process.execPath, ${JSON.stringify(node(script))}, { stdio: ['ignore', 'inherit', 'inherit'] });
  setInterval(() => undefined, 60_000);
`;
const guarding = (graceMs?: number) =>
  `const { guardChildren } = await import(${guard}); guardChildren(${JSON.stringify(root)}${graceMs === undefined ? '' : `, ${graceMs}`});`;

/** A zombie has ended, but its parent has not read its status. */
function isGone(pid: number): boolean {
  const stat = `/proc/${String(pid)}/stat`;
  if (existsSync('/proc/self/stat')) return !existsSync(stat) || /\) [ZX] /.test(readFileSync(stat, 'utf8'));
  try {
    return !process.kill(pid, 0);
  } catch {
    return true;
  }
}

const started: ChildProcess[] = [];
const start = (args: readonly string[], env: Readonly<Record<string, string>> = {}) => {
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  started.push(child);
  return child;
};
afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
});

/** The ids that it says, one a line. */
async function pidsOf({ stdout }: ChildProcess, count: number): Promise<number[]> {
  if (!stdout) throw new Error('it has no output');
  const lines = createInterface(stdout)[Symbol.asyncIterator]();
  const pids = [];
  while (pids.length < count) pids.push(Number((await lines.next()).value));
  return pids;
}

const gone = (pids: readonly number[]) => until('all to be gone', () => Promise.resolve(pids.every(isGone)));

it.each(representative(['SIGKILL', 'SIGINT', 'SIGTERM'] as const))(
  'what a process has started ends with it, with all that was started by that, after %s',
  async (signal) => {
    const child = start(node(starting(`console.log(process.pid); ${starting(idle())}`, guarding())));
    const pids = await pidsOf(child, 2);
    expect(pids.some(isGone)).toBe(false);
    child.kill(signal);
    await gone(pids);
  },
);

itInFull('what does not stop by itself is ended by force', async () => {
  const child = start(node(starting(idle(true), guarding(300))));
  const pids = await pidsOf(child, 1);
  child.kill('SIGKILL');
  await gone(pids);
});

it('a process whose children have ended, and that waits for nothing else, ends', async () => {
  const child = start(
    node(
      `${guarding()} const { spawn } = await import('node:child_process'); const { once } = await import('node:events'); await once(spawn('true'), 'exit');`,
    ),
  );
  expect(await once(child, 'exit')).toEqual([0, null]);
});

it.each([
  ['is ended if the parent reported its start', ['+'], true],
  ['is not ended if the parent reported its end, because another process may have its id', ['+', '-'], false],
] as const)('a process %s', async (_what, words, ends) => {
  const [pid = 0] = await pidsOf(start(node(idle())), 1);
  const ending = spawn(process.execPath, [join(__dirname, 'end-orphans.mjs'), '5000'], {
    stdio: ['pipe', 'inherit', 'inherit'],
  });
  started.push(ending);
  ending.stdin.end(words.map((what) => `${what}${String(pid)}\n`).join(''));
  expect(await once(ending, 'exit')).toEqual([0, null]);
  expect(isGone(pid)).toBe(ends);
});

it.each(representative(['SIGKILL', 'SIGINT'] as const))(
  'a service that a tool has started ends with the tool, after %s',
  async (signal) => {
    const tool = start(['tools/run.mjs', 'tools/testing/starting-tool.ts']);
    const pids = await pidsOf(tool, 1);
    tool.kill(signal);
    await gone(pids);
  },
);

it('a tool that npm runs ends with npm, also after a kill', async () => {
  const npm = start(node(starting(`(await import(${guard})).endWithNpm(); ${idle()}`)), {
    npm_lifecycle_event: 'bench',
  });
  const pids = await pidsOf(npm, 1);
  npm.kill('SIGKILL');
  await gone(pids);
});

/** Ignores signals; its child takes 300 ms to stop and then writes a file. */
const deafWithSlowChild = starting(
  `process.once('SIGTERM', () => setTimeout(() => {
    process.getBuiltinModule('fs').writeFileSync(process.env.STOPPED, 'yes');
    process.exit();
  }, 300)); ${idle()}`,
  "console.log(process.pid); process.on('SIGTERM', () => undefined);",
);

itInFull('the child of a process that ignores signals may take as long to stop', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'opendsr-guard-'));
  const stopped = join(folder, 'stopped');
  const child = start(node(starting(deafWithSlowChild, guarding(4_000))), { STOPPED: stopped });
  const pids = await pidsOf(child, 2);
  child.kill('SIGKILL');
  await gone(pids);
  expect(existsSync(stopped)).toBe(true);
  rmSync(folder, { recursive: true });
});

/** Stops when asked, after six turns of a 500 ms timer, and notes each signal. */
const stoppingSlowly = `
  const { appendFileSync } = await import('node:fs');
  process.on('SIGTERM', () => appendFileSync(process.env.SIGNALS, 'S'));
  process.once('SIGTERM', () => { let turns = 0; setInterval(() => (turns += 1) === 6 && process.exit(), 500); });
`;

itInFull('a tool that npm runs is asked to end once, however long it takes', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'opendsr-guard-'));
  const signals = join(folder, 'signals');
  const npm = start(node(starting(`(await import(${guard})).endWithNpm(); ${stoppingSlowly} ${idle()}`)), {
    npm_lifecycle_event: 'bench',
    SIGNALS: signals,
  });
  const pids = await pidsOf(npm, 1);
  npm.kill('SIGKILL');
  await gone(pids);
  expect(readFileSync(signals, 'utf8')).toBe('S');
  rmSync(folder, { recursive: true });
});

it.each(representative(['SIGKILL', 'SIGINT'] as const))(
  'a folder that a process leaves to its guard goes after all that it started, after %s',
  async (signal) => {
    const folder = mkdtempSync(join(tmpdir(), 'opendsr-guard-'));
    const writing = `process.once('SIGTERM', () => setTimeout(() => {
      process.getBuiltinModule('fs').writeFileSync(${JSON.stringify(join(folder, 'late'))}, '');
      process.exit();
    }, 300)); ${idle()}`;
    const leaving = `${guarding()} (await import(${guard})).leaveToGuard(${JSON.stringify(folder)});`;
    const child = start(node(starting(writing, leaving)));
    const pids = await pidsOf(child, 1);
    expect(existsSync(folder)).toBe(true);
    child.kill(signal);
    await gone(pids);
    await until('the folder to be gone', () => Promise.resolve(!existsSync(folder)));
  },
);

it('what specs leave of temporary files goes with their process', () => {
  expect(basename(tmpdir())).toMatch(/^opendsr-specs-/);
});

it('what specs start ends with the run of specs', () => {
  expect(channel('opendsr-service:guarded').hasSubscribers).toBe(true);
});
