import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

export { bundle } from '@opendsr-service/storage/testing';

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
