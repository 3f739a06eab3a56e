/** Linux counts the times of processes in hundredths of a second, on every machine that Node runs on. */
const ticksPerSecond = 100;

/** What the kernel says of a process: `/proc/<pid>/stat`, and `/proc/uptime` read at the time `nowMs`. */
interface KernelClock {
  readonly stat: string;
  readonly uptime: string;
  readonly nowMs: number;
}

/** When a process started, in milliseconds since 1970, to a hundredth of a second. */
export function startedAtMs({ stat, uptime, nowMs }: KernelClock): number {
  // The name of the program, in brackets, may hold anything; the start is the twentieth field after it.
  const ticks = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]);
  return nowMs - (Number(uptime.split(' ')[0]) - ticks / ticksPerSecond) * 1_000;
}

export interface ProcessFacts {
  readonly user: string;
  readonly group: string;
  readonly capabilities: bigint;
  readonly mayGainRights: boolean;
  readonly memoryMiB: number;
}

/** Who a process is and what it may, from `/proc/<pid>/status`. */
export function factsOf(status: string): ProcessFacts {
  const field = (name: string) => new RegExp(`^${name}:\\s+(.+)$`, 'm').exec(status)?.[1] ?? '';
  const only = (ids: string) => [...new Set(ids.split('\t'))].join(' ');
  const sets = ['CapInh', 'CapPrm', 'CapEff', 'CapBnd', 'CapAmb'].map((name) => BigInt(`0x${field(name)}`));
  return {
    user: only(field('Uid')),
    group: only(field('Gid')),
    capabilities: sets.reduce((all, set) => all | set),
    mayGainRights: field('NoNewPrivs') !== '1',
    memoryMiB: Math.round(Number.parseInt(field('VmRSS')) / 1_024),
  };
}
