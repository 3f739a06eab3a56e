import { readFile } from 'node:fs/promises';
import type { Container } from './container';
import { cpuSecondsOf, factsOf, startedAtMs, type ProcessFacts } from './process-facts';

export interface ContainerFacts extends ProcessFacts {
  /** From the start of the process to the line that says that it listens. */
  readonly startMs: number;
  /** Since the start of the process. */
  readonly cpuSeconds: number;
}

/** Waits until a container listens and measures its process from outside. */
export async function measureContainer(container: Container): Promise<ContainerFacts> {
  const listening = await container.listening();
  const pid = await container.pid();
  const [status, stat, uptime] = await Promise.all(
    ['status', 'stat', '../uptime'].map((file) => readFile(`/proc/${String(pid)}/${file}`, 'utf8')),
  );
  const startedMs = startedAtMs({ stat: stat ?? '', uptime: uptime ?? '', nowMs: Date.now() });
  return {
    ...factsOf(status ?? ''),
    startMs: Math.round(listening.getTime() - startedMs),
    cpuSeconds: cpuSecondsOf(stat ?? ''),
  };
}
