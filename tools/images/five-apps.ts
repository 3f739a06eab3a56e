import { chmod, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { localUrl, makeInstallation, place, type Part, type Placed } from '../e2e/installation';
import type { Servers } from '../servers';
import { Container, runOnce } from './container';
import { measureContainer } from './container-facts';
import type { Run } from './standalone';

const parts: readonly Part[] = ['gateway', 'request', 'callback-dispatcher', 'results', 'ingestion'];
const restMs = 10_000;

export interface AppRun extends Run {
  readonly app: string;
}

/** Where the apps find each other; both versions answer on the gateway's one port. */
function addresses(placed: readonly Placed[]) {
  const at = (part: Part, kind: 'port' | 'adminPort') => localUrl(placed.find((one) => one.part === part)?.[kind] ?? 0);
  const gateway = at('gateway', 'port');
  return {
    PUBLIC_URL_V2: gateway,
    PUBLIC_URL_V1: gateway,
    RESULTS_URL: at('results', 'adminPort'),
    INGESTION_URL: at('ingestion', 'adminPort'),
  };
}

/** The container's user does not exist on this machine, so short-lived keys may be readable by all. */
async function letReadAll(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true }))
    await chmod(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o755 : 0o644);
}

/** Starts each app in its own container on real servers, one after the other so that none slows another start. */
export async function runFiveApps(image: string, servers: Servers): Promise<AppRun[]> {
  const installation = await makeInstallation(servers);
  const placed = await place(parts);
  const env = { ...installation.env, ...addresses(placed), TIMING_PROFILE: 'sandbox' };
  const folder = dirname(installation.env.MASTER_KEY_FILE ?? '');
  await letReadAll(folder);
  const options = ['--volume', `${folder}:${folder}:ro`, '--cpu-shares', '262144'];
  const containers: Container[] = [];
  const startApp = async ({ part: app, port, adminPort }: Placed) => {
    const container = await Container.start({
      image,
      args: [app],
      options,
      env: { ...env, PORT: String(port), ADMIN_PORT: String(adminPort) },
    });
    containers.push(container);
    // Says so at once where the app has ended.
    await container.listening();
    await container.healthy();
    return { app, container, cpuSeconds: (await measureContainer(container)).cpuSeconds };
  };
  try {
    const { code, errorOutput } = await runOnce({ image, args: ['dsr', 'topics', 'apply'], options, env });
    if (code !== 0) throw new Error(`dsr topics apply failed:\n${errorOutput}`);
    const running = [];
    for (const one of placed) running.push(await startApp(one));
    await sleep(restMs);
    return await Promise.all(
      running.map(async ({ app, container, cpuSeconds }) => ({
        ...(await measureContainer(container)),
        app,
        cpuSeconds,
        exitCode: await container.stop(),
        complaint: (await container.logs()).errorOutput,
      })),
    );
  } finally {
    await Promise.all(containers.map((container) => container.remove()));
    await installation.remove();
  }
}
