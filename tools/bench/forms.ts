import type { Environment } from '../e2e/child-service';
import { startFiveProcesses } from '../e2e/five-processes';
import { noRateLimits, type Service } from '../e2e/service';
import { startStandalone } from '../e2e/standalone';
import type { Servers } from '../servers';

/** One process with all five services, on embedded stores in a folder of its own. */
export const startEmbedded = (settings: Environment): Promise<Service> =>
  startStandalone({ ...noRateLimits, ...settings });

/** Every service as a process of its own; `replicas` of the gateway and of the request service. */
export function startOnServers(servers: Servers, settings: Environment, replicas: number): Promise<Service> {
  const several = Array.from({ length: replicas }, () => ['gateway', 'request'] as const).flat();
  return startFiveProcesses(servers, { ...noRateLimits, ...settings }, [
    ...several,
    'callback-dispatcher',
    'ingestion',
    'results',
  ]);
}
