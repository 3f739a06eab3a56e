import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { constants, getPriority, setPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { gatherer, print } from './output';

/** Longer than any phase; a phase that takes longer is stuck. */
const phaseTimeoutMs = 30 * 60_000;
const killAfterMs = 10_000;
/** The output of a command arrives at once; processes that it left may keep its output open. */
const outputMs = 2_000;
/**
 * Whom a phase leaves the processors to; each step halves the weight of its processes. A cluster costs as long as it runs, so it goes
 * first. Phases that only compute go last: they use what the others leave while they wait.
 */
const NICENESS = { nobody: 0, cluster: 3, all: 6 } as const;

export interface RunOptions {
  readonly yieldsTo?: keyof typeof NICENESS;
}

/** Runs a command of the workspace with its output on the terminal, or in that of its phase. Resolves to whether it ended well. */
export async function run(
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>> = {},
  { yieldsTo = 'nobody' }: RunOptions = {},
): Promise<boolean> {
  const gather = gatherer();
  const output = gather ? 'pipe' : 'inherit';
  const child = spawn(command, args, {
    stdio: ['ignore', output, output],
    env: { ...process.env, NX_TUI: 'false', ...env },
  });
  if (child.pid !== undefined && yieldsTo !== 'nobody') setPriority(child.pid, priorityBehind(NICENESS[yieldsTo]));
  if (gather) for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', gather);
  const stuck = setTimeout(() => {
    print(`${command} ${args.join(' ')} did not end in ${String(phaseTimeoutMs / 60_000)} minutes: it is stopped`);
    child.kill('SIGTERM');
    setTimeout(() => child.kill('SIGKILL'), killAfterMs).unref();
  }, phaseTimeoutMs);
  try {
    const closed = once(child, 'close').catch(() => undefined);
    const [code] = (await once(child, 'exit')) as [number | null];
    await Promise.race([closed, sleep(outputMs, undefined, { ref: false })]);
    return code === 0;
  } finally {
    clearTimeout(stuck);
  }
}

/** Behind the priority of this process, which may be the lowest already. */
const priorityBehind = (steps: number): number => Math.min(constants.priority.PRIORITY_LOW, getPriority() + steps);

/** Runs a command and prints its output only after a failure. */
export function runQuietly(command: string, args: readonly string[]): Promise<boolean> {
  return new Promise((done) => {
    execFile(command, args, (error, stdout, stderr) => {
      if (error) print(`${stdout}${stderr}`);
      done(!error);
    });
  });
}

/** CPU seconds of this process and its ended children on Linux; elsewhere only its own. */
export function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000_000 + endedChildrenSeconds();
}

const TICKS_PER_SECOND = 100;

function endedChildrenSeconds(): number {
  if (process.platform !== 'linux') return 0;
  const [userTicks, systemTicks] =
    readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1)?.split(' ').slice(13, 15) ?? [];
  return (Number(userTicks) + Number(systemTicks)) / TICKS_PER_SECOND;
}
