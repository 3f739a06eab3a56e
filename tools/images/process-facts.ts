/** Linux counts the times of processes in hundredths of a second, on every machine that Node runs on. */
const ticksPerSecond = 100;

/** What the kernel says of a process: `/proc/<pid>/stat`, and `/proc/uptime` read at the time `nowMs`. */
interface KernelClock {
  readonly stat: string;
  readonly uptime: string;
  readonly nowMs: number;
}

/** Fields of `/proc/<pid>/stat`, counted from the name of the program: that stands in brackets, and may hold anything. */
const [USER_TIME, SYSTEM_TIME, START] = [11, 12, 19] as const;

const secondsIn = (stat: string, field: number): number =>
  Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[field]) / ticksPerSecond;

/** When a process started, in milliseconds since 1970, to a hundredth of a second. */
export function startedAtMs({ stat, uptime, nowMs }: KernelClock): number {
  return nowMs - (Number(uptime.split(' ')[0]) - secondsIn(stat, START)) * 1_000;
}

/** The CPU that a process has taken since it started, user and system. */
export const cpuSecondsOf = (stat: string): number => secondsIn(stat, USER_TIME) + secondsIn(stat, SYSTEM_TIME);

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
