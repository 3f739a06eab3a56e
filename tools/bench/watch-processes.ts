import { readFile, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RunningPart } from '../e2e/service';
import type { LoopDelay } from './data';
import { percentile } from './statistics';

const LOOK_MS = 20;
const RESET_PEAK = '5';

/** The most memory that each process had and how late it answered while something was done. Linux only, as `/proc` is. */
export async function watchProcesses<T>(
  processes: readonly RunningPart[],
  work: () => Promise<T>,
): Promise<{
  readonly done: T;
  readonly peakMiB: Record<string, number>;
  readonly loopDelay: Record<string, LoopDelay>;
}> {
  await Promise.all(processes.map(({ pid }) => writeFile(`/proc/${String(pid)}/clear_refs`, RESET_PEAK)));
  const over = new AbortController();
  const delays = processes.map((one) => delaysOf(one, over.signal));
  try {
    const done = await work();
    over.abort();
    const peaks = await Promise.all(processes.map(({ pid }) => memoryMiBOf(pid, 'VmHWM')));
    const spreads = await Promise.all(delays);
    return { done, peakMiB: named(processes, peaks), loopDelay: named(processes, spreads) };
  } finally {
    over.abort();
  }
}

const named = <V>(processes: readonly RunningPart[], values: readonly V[]): Record<string, V> =>
  Object.fromEntries(processes.map(({ name }, n) => [name, values[n] as V]));

async function delaysOf({ adminUrl }: RunningPart, signal: AbortSignal): Promise<LoopDelay> {
  const delaysMs: number[] = [];
  while (!signal.aborted) {
    const asked = performance.now();
    await (await fetch(`${adminUrl}/livez`)).arrayBuffer();
    delaysMs.push(performance.now() - asked);
    await sleep(LOOK_MS);
  }
  const sorted = Float64Array.from(delaysMs).sort();
  return { p99Ms: percentile(sorted, 99) ?? 0, longestMs: sorted.at(-1) ?? 0 };
}

/** What a process holds now, or at most since its peak was reset; 0 where the kernel does not say. Throws where it is gone. */
export async function memoryMiBOf(pid: number, kind: 'VmRSS' | 'VmHWM'): Promise<number> {
  const status = await readFile(`/proc/${String(pid)}/status`, 'utf8');
  return Number(new RegExp(`^${kind}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1] ?? 0) / 1_024;
}
