import { spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Order, WorldReport } from './report';

/** Starts a child for worlds and passes on each report. Resolves to its exit code. */
export async function runChild(file: string, order: Order, each: (world: WorldReport) => void): Promise<number> {
  // All children load the same packages, and compile them once.
  const env = { ...process.env, NODE_COMPILE_CACHE: join(dirname(file), 'compiled') };
  const child = spawn(process.execPath, [file, JSON.stringify(order)], { stdio: ['ignore', 'pipe', 'inherit'], env });
  const ended = new Promise<number>((resolve) => child.once('exit', (code) => resolve(code ?? 1)));
  for await (const line of createInterface(child.stdout)) each(JSON.parse(line) as WorldReport);
  return ended;
}

/** Does all tasks, so many at the same time. */
export async function sideBySide(tasks: readonly (() => Promise<void>)[], width: number): Promise<void> {
  const waiting = tasks.values();
  const work = async (): Promise<void> => {
    for (const task of waiting) await task();
  };
  await Promise.all(Array.from({ length: width }, work));
}
