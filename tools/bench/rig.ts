import type { Environment } from '../e2e/child-service';
import type { Service } from '../e2e/service';
import type { ConnectionsOptions } from './connections';
import { cpuBetween, readCpu } from './cpu';
import type { GeneratorTasks } from './generator';
import type { HelperProcess } from './helper-process';

/** What a measurement works with. */
export interface Rig {
  /** Starts the form under test with settings, empty. */
  readonly start: (settings: Environment) => Promise<Service>;
  readonly generator: HelperProcess<GeneratorTasks>;
  /** Where the service has its log; undefined: in itself. */
  readonly brokers: string | undefined;
  /** How many processes of a service there may be. */
  readonly replicas: number;
  /** Undefined: the highest rate is searched for. */
  readonly livesPerSecond: number | undefined;
  /** How long a window is. */
  readonly windowMs: number;
  /** Prints progress. */
  readonly say: (line: string) => void;
}

const CONNECTIONS = 64;

export const connectionsTo = ({ baseUrls, key, secret }: Service, count: number): ConnectionsOptions => ({
  ...{ baseUrls, key, secret, count },
});

/** Starts the form, works with it, and stops it whatever happens. */
export async function withService<T>(
  { start, generator }: Rig,
  settings: Environment,
  work: (service: Service) => Promise<T>,
): Promise<T> {
  const service = await start(settings);
  try {
    await generator.ask('connect', connectionsTo(service, CONNECTIONS));
    return await work(service);
  } finally {
    await service.stop();
  }
}

/** Does something and answers with it what each part used of the processors meanwhile. */
export async function withCpu<T extends object>(
  work: () => Promise<T>,
): Promise<T & { readonly cpuMsFor: (count: number) => Record<string, number> }> {
  const before = await readCpu();
  const done = await work();
  const used = cpuBetween(before, await readCpu());
  return {
    ...done,
    cpuMsFor: (count) => (count > 0 ? Object.fromEntries([...used].map(([part, cpuMs]) => [part, cpuMs / count])) : {}),
  };
}

/** What came other than wanted, in words. */
export const statusFaults = (statuses: Readonly<Record<number, number>>, wanted?: number): string[] =>
  Object.entries(statuses)
    .filter(([status]) => Number(status) !== wanted)
    .map(([status, count]) => `${String(count)} times ${status === '0' ? 'no answer' : `the answer ${status}`}`);
