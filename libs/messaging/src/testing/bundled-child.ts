import { execFile, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { promisify } from 'node:util';

const rolldown = join(__dirname, '../../../../node_modules/.bin/rolldown');

/** Node cannot run our sources as they are (extensionless imports), so a child process of a spec is bundled first. */
export async function bundle(entry: string, file: string): Promise<void> {
  const flags = ['--platform', 'node', '--format', 'esm', '--file', file, '--no-codeSplitting', '--logLevel', 'silent'];
  await promisify(execFile)(process.execPath, [rolldown, entry, ...flags]);
}

export function run(file: string, argument: unknown): ChildProcess {
  return spawn(process.execPath, [file, JSON.stringify(argument)], { stdio: ['ignore', 'pipe', 'inherit'] });
}

/** Resolves once a child that was killed when it said something, or that ended before, is gone. */
export async function killAtFirstWord(child: ChildProcess): Promise<void> {
  const gone = once(child, 'exit');
  try {
    await Promise.race([once(child.stdout as NodeJS.ReadableStream, 'data'), gone]);
  } finally {
    child.kill('SIGKILL');
    await gone;
  }
}
