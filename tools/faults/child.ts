import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';

const rolldown = join(__dirname, '../../node_modules/.bin/rolldown');

/** Bundles a child program, named by its path from here: Node does not run our sources as they are. */
export async function bundle(program: string, folder: string): Promise<string> {
  const file = join(folder, `${basename(program)}.mjs`);
  const flags = ['--platform', 'node', '--format', 'esm', '--file', file, '--no-codeSplitting', '--logLevel', 'silent'];
  await promisify(execFile)(process.execPath, [rolldown, join(__dirname, `${program}.ts`), ...flags]);
  return file;
}

/** A process that the suite started, and only that: it is ended through its own handle. */
export class Child {
  private readonly process: ChildProcess;
  private readonly gone: Promise<unknown>;

  constructor(
    readonly name: string,
    start: { readonly file: string; readonly task: unknown; readonly logFile: string },
    onLine: (line: unknown) => void,
  ) {
    this.process = spawn(process.execPath, [start.file, JSON.stringify(start.task)], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.gone = once(this.process, 'exit');
    this.process.stderr?.pipe(createWriteStream(start.logFile, { flags: 'a' }));
    if (this.process.stdout) createInterface(this.process.stdout).on('line', (line) => onLine(JSON.parse(line)));
  }

  get alive(): boolean {
    return this.process.exitCode === null && this.process.signalCode === null;
  }

  /** Waits for it to end by itself and answers its exit code; one that does not in time is killed, and has none. */
  async ended(atMostMs: number): Promise<number | null> {
    const limit = setTimeout(() => void this.kill(), atMostMs);
    await this.gone;
    clearTimeout(limit);
    return this.process.exitCode;
  }

  async kill(): Promise<void> {
    this.process.kill('SIGKILL');
    await this.gone;
  }

  /** Asks it to stop and answers its exit code. */
  async stop(): Promise<number | null> {
    if (this.alive) this.process.kill('SIGTERM');
    await this.gone;
    return this.process.exitCode;
  }
}
