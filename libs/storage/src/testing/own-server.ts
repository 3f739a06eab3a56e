import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/**
 * The folder of servers that a spec may start its own from; undefined where there is none, which
 * `DSR_REQUIRE_OWN_SERVERS=1` does not allow.
 */
export function ownServersFolder(): string | undefined {
  const { DSR_TEST_SERVERS: folder, DSR_REQUIRE_OWN_SERVERS: required } = process.env;
  if (!folder && required === '1') throw new Error('DSR_TEST_SERVERS is missing, and DSR_REQUIRE_OWN_SERVERS is set');
  return folder === '' ? undefined : folder;
}

/** A server that a spec started for itself, and ends through its own handle. */
export interface OwnServer {
  /** Resolves with the first line of its output that this accepts; rejects when it ends before. */
  line(wanted: (line: string) => boolean): Promise<string>;
  stop(): Promise<void>;
}

/** So many lines of a server that ended are in the error. */
const LAST_LINES = 20;

/** Starts a program that runs in the foreground. */
export function startOwn(program: string, args: readonly string[]): OwnServer {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  return { line: (wanted) => lineOf(child, wanted), stop: () => end(child) };
}

async function lineOf(child: ChildProcess, wanted: (line: string) => boolean): Promise<string> {
  if (!child.stdout) throw new Error('the server has no output');
  const lines: string[] = [];
  for await (const line of createInterface(child.stdout)) {
    lines.push(line);
    if (!wanted(line)) continue;
    // What nobody reads would fill the pipe and hold the server up.
    child.stdout.resume();
    return line;
  }
  throw new Error(`the server ended before it was ready:\n${lines.slice(-LAST_LINES).join('\n')}`);
}

async function end(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  await gone;
}
