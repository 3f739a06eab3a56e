import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { bundle } from './bundle';

const folder = mkdtempSync(join(tmpdir(), 'dsr-child-'));
const file = join(folder, 'child.mjs');

export const buildChild = (): Promise<void> => bundle(join(__dirname, 'child.ts'), file);

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
  const child = spawn(process.execPath, [file, what, JSON.stringify(options), collection], {
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
