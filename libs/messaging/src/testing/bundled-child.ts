import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const rolldown = join(__dirname, '../../../../node_modules/.bin/rolldown');
const nodeOptions = { ...process.env, NODE_OPTIONS: '' };

/** Node cannot run our sources as they are (extensionless imports), so a child process of a spec is bundled first. */
export async function bundle(entry: string, file: string): Promise<void> {
  const flags = ['--platform', 'node', '--format', 'esm', '--file', file, '--logLevel', 'silent'];
  await promisify(execFile)(process.execPath, [rolldown, entry, ...flags], { env: nodeOptions });
}

export function run(file: string, argument: unknown): ChildProcess {
  return spawn(process.execPath, [file, JSON.stringify(argument)], { stdio: ['ignore', 'pipe', 'inherit'], env: nodeOptions });
}
