import { setTimeout as sleep } from 'node:timers/promises';
import { freePorts } from '../e2e/free-ports';
import { Container } from './container';
import { engine } from './engine';
import { measureContainer, type ContainerFacts } from './container-facts';

/** Its CPU is that until it was ready. */
export interface Run extends ContainerFacts {
  /** Its exit code after SIGTERM, as the first process of its container. */
  readonly exitCode: number;
  /** Its standard error, such as Node's warnings. */
  readonly complaint: string;
}

/** The memory of a process after its start. */
const restMs = 10_000;

/** Runs the standalone app on a new volume until it is healthy, and with `rest` for a while longer. */
export async function runStandalone(image: string, rest: boolean): Promise<Run> {
  const [port, adminPort] = await freePorts(2);
  const volume = await engine('volume', 'create');
  // Other load on this machine hardly counts.
  const options = ['--volume', `${volume}:/data`, '--cpu-shares', '262144'];
  const container = await Container.start({
    image,
    args: [],
    options,
    env: { HOST: '127.0.0.1', PORT: String(port), ADMIN_PORT: String(adminPort) },
  });
  try {
    // Says so at once where the app has ended.
    await container.listening();
    await container.healthy();
    const ready = await measureContainer(container);
    if (rest) await sleep(restMs);
    return {
      ...(rest ? await measureContainer(container) : ready),
      cpuSeconds: ready.cpuSeconds,
      exitCode: await container.stop(),
      complaint: (await container.logs()).errorOutput,
    };
  } finally {
    await container.remove();
    await engine('volume', 'rm', volume);
  }
}
