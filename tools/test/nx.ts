import { readFile } from 'node:fs/promises';
import { run, type RunOptions } from './command';
import { failure, nothing, sum, type Tally } from './tally';

/** The linter checks types in Go. It may use this much memory before it collects garbage, which takes a fifth of its time otherwise. */
const GO = { GOGC: 'off', GOMEMLIMIT: '3GiB' } as const;

interface NxRun {
  readonly run: { readonly command: string };
  readonly tasks: readonly { readonly taskId: string; readonly status: number }[];
}

let last: Promise<unknown> = Promise.resolve();

/** As below, but after the run before it has ended: nx keeps the record of one run. */
export function runTarget(target: string, options?: RunOptions): Promise<Tally> {
  const run = last.then(() => runAlone(target, options));
  last = run.catch(() => undefined);
  return run;
}

/**
 * Runs one target of all projects, or several with commas between them, two tasks at a time. Every project that fails
 * it is one failure, named as nx names the task.
 */
async function runAlone(target: string, options?: RunOptions): Promise<Tally> {
  const args = ['run-many', '-t', target, '--parallel=2', '--output-style=static'];
  if (await run('nx', args, GO, options)) return nothing;
  const failed = await failedTasks(args);
  return failed.length > 0 ? sum(failed.map(failure)) : failure(target);
}

/** nx leaves a record of its last run beside its cache. */
async function failedTasks(args: readonly string[]): Promise<string[]> {
  const record = JSON.parse(await readFile('.nx/cache/run.json', 'utf8')) as NxRun;
  if (!record.run.command.endsWith(args.join(' '))) return [];
  return record.tasks.filter(({ status }) => status !== 0).map(({ taskId }) => taskId);
}
