import { readdir, readFile } from 'node:fs/promises';

/** What the kernel says of a process. */
export interface ProcessStat {
  readonly pid: number;
  readonly parent: number;
  /** User and system time since it began, threads included. */
  readonly cpuMs: number;
}

/** CPU milliseconds by the part that a process plays; a part is there where a process of it runs. */
export type CpuByPart = ReadonlyMap<string, number>;

/** Linux counts in hundredths of a second in all that it shows to programs. */
const TICK_MS = 10;

/** Reads a line of /proc/<pid>/stat. The name in brackets may hold spaces and brackets itself. */
export function parseStat(line: string): ProcessStat {
  const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
  return {
    pid: Number.parseInt(line, 10),
    parent: Number(fields[1]),
    cpuMs: (Number(fields[11]) + Number(fields[12])) * TICK_MS,
  };
}

/** The part that a command line plays in a run; undefined: none that is counted. */
export function partOf(command: readonly string[]): string | undefined {
  const app = command.map((word) => /^apps\/([a-z-]+)\/dist\/main\.mjs$/.exec(word)?.[1]).find(Boolean);
  if (app) return app;
  const tool = command.map((word) => /tools\/bench\/([a-z-]+)\.ts$/.exec(word)?.[1]).find(Boolean);
  if (tool) return tool;
  if (/\bmongod[-.\d]*$/.test(command[0] ?? '')) return 'mongod';
  return command.includes('kafka.Kafka') ? 'broker' : undefined;
}

/** The CPU time so far of every process that this one started, at any remove. Linux only: elsewhere there is nothing to read. */
export async function readCpu(root = process.pid): Promise<CpuByPart> {
  const cpu = new Map<string, number>();
  for (const { pid, cpuMs } of descendants(await allProcesses(), root)) {
    const part = partOf(await commandOf(pid));
    if (part) cpu.set(part, (cpu.get(part) ?? 0) + cpuMs);
  }
  return cpu;
}

/** The processes of one part that this one started. */
export async function pidsOf(part: string, root = process.pid): Promise<number[]> {
  const below = descendants(await allProcesses(), root);
  const parts = await Promise.all(below.map(async ({ pid }) => ({ pid, part: partOf(await commandOf(pid)) })));
  return parts.filter((one) => one.part === part).map(({ pid }) => pid);
}

/** What was used between two readings. */
export const cpuBetween = (before: CpuByPart, after: CpuByPart): CpuByPart =>
  new Map([...after].map(([part, cpuMs]) => [part, cpuMs - (before.get(part) ?? 0)]));

/** The processes below one, whichever order they come in. */
export function descendants(processes: readonly ProcessStat[], root: number): ProcessStat[] {
  const children = processes.filter(({ parent }) => parent === root);
  return children.flatMap((child) => [child, ...descendants(processes, child.pid)]);
}

async function allProcesses(): Promise<ProcessStat[]> {
  const names = await readdir('/proc').catch(() => []);
  const lines = await Promise.all(
    names
      .filter((name) => /^\d+$/.test(name))
      .map((pid) => readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined)),
  );
  return lines.filter((line) => line !== undefined).map(parseStat);
}

async function commandOf(pid: number): Promise<string[]> {
  const text = await readFile(`/proc/${String(pid)}/cmdline`, 'utf8').catch(() => '');
  return text.split('\0');
}
