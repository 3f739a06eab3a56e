import type { Environment } from '../e2e/child-service';
import { startFiveProcesses } from '../e2e/five-processes';
import { noRateLimits, type Service } from '../e2e/service';
import { startStandalone } from '../e2e/standalone';
import type { Servers } from '../servers';

/** One process with all five services, on embedded stores in a folder of its own. */
export const startEmbedded = (settings: Environment): Promise<Service> =>
  startStandalone({ ...noRateLimits, ...settings });

/** Every service as a process of its own. The suites' form has a second gateway, which would share the work that is measured. */
export async function startOnServers(servers: Servers, settings: Environment): Promise<Service> {
  const service = await startFiveProcesses(servers, { ...noRateLimits, ...settings });
  await service.processes.filter(({ name }) => name === 'gateway')[1]?.stop();
  return { ...service, baseUrls: service.baseUrls.slice(0, 1) };
}
