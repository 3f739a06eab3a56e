import { execFile, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), 'dsr-child-'));
const bundle = join(folder, 'child.mjs');

/** Node runs no TypeScript with extensionless imports, so the script is bundled first. */
export async function buildChild(): Promise<void> {
  const rolldown = join(dirname(createRequire(__filename).resolve('rolldown/package.json')), 'bin', 'cli.mjs');
  await run(process.execPath, [
    rolldown,
    join(__dirname, '../testing/child.ts'),
    '--platform',
    'node',
    '--format',
    'esm',
    '--file',
    bundle,
    '--log-level',
    'silent',
  ]);
}

export function removeChild(): void {
  rmSync(folder, { recursive: true, force: true });
}

export interface Child {
  readonly process: ChildProcess;
  readonly lines: string[];
  /** Resolves when the child has said so many lines, or has ended. */
  heard(count: number): Promise<void>;
  readonly ended: Promise<unknown>;
}

export function startChild(what: string, options: object, collection = ''): Child {
  const child = spawn(process.execPath, [bundle, what, JSON.stringify(options), collection], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines: string[] = [];
  const reader = createInterface({ input: child.stdout });
  reader.on('line', (line) => lines.push(line));
  const ended = once(child, 'close');
  const heard = async (count: number): Promise<void> => {
    while (lines.length < count && child.exitCode === null && child.signalCode === null)
      await Promise.race([once(reader, 'line'), ended]);
  };
  return { process: child, lines, heard, ended };
}
