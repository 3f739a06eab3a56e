import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TlsFiles } from '../receiver/receiver';
import { ChildService, type Environment } from './child-service';
import { freePorts } from './free-ports';
import { otherOf } from './second-workspace';
import { suiteSettings, type Kept, type Service } from './service';

const key = 'e2e-key';
const secret = 'e2e-secret-of-the-sandbox';
const main = 'apps/standalone/dist/main.mjs';

/** The standalone bundle with these settings only, for checks before a service exists. */
export const spawnStandalone = (env: Environment, args: readonly string[] = []): ChildService =>
  ChildService.spawn({ name: 'standalone', args: [main, ...args], env });

/** Starts the service as `npm start` does, on embedded stores in its own temporary folder. */
export async function startStandalone(
  settings: Environment = suiteSettings,
): Promise<Service & { readonly dataDir: string; readonly env: Environment }> {
  const dataDir = await mkdtemp(join(tmpdir(), 'opendsr-e2e-'));
  const [port = 0, adminPort = 0] = await freePorts(2);
  const baseUrl = `http://127.0.0.1:${String(port)}`;
  const adminUrl = `http://127.0.0.1:${String(adminPort)}`;
  const env = {
    HOST: '127.0.0.1',
    PORT: String(port),
    ADMIN_PORT: String(adminPort),
    PUBLIC_URL_V2: baseUrl,
    PUBLIC_URL_V1: baseUrl,
    DATA_DIR: dataDir,
    SANDBOX_KEY: key,
    SANDBOX_SECRET: secret,
    ...settings,
  };
  const processes: ChildService[] = [];
  const start = async (more: Environment = {}) => {
    const child = spawnStandalone({ ...env, ...more });
    processes.push(child);
    await child.ready(adminUrl);
  };
  const end = (signal: NodeJS.Signals) => Promise.all(processes.map((child) => child.stop(signal)));
  const operatorEnv = { DATA_DIR: dataDir };
  await start().catch(async (error: unknown) => {
    await end('SIGTERM');
    await rm(dataDir, { recursive: true });
    throw error;
  });
  const authorityPem = await readFile(join(dataDir, 'certificates/authority.pem'), 'utf8');
  return {
    baseUrls: [baseUrl],
    baseUrlsV1: [baseUrl],
    ingestUrl: baseUrl,
    key,
    secret,
    other: otherOf({ operatorEnv }),
    trust: { domains: ['opendsr.localhost'], baseUrl, authorityPem },
    trustV1: { domains: ['opengdpr.localhost'], baseUrl, authorityPem },
    certificatesDir: join(dataDir, 'certificates'),
    receiverTls: await receiverTls(join(dataDir, 'certificates')),
    processes,
    parts: () => processes.filter(({ running }) => running).map(({ name, pid }) => ({ name, pid, adminUrl })),
    operatorEnv,
    stores: { dataDir },
    dataDir,
    env,
    crash: async (more) => void (await end('SIGKILL'), await start(more)),
    restart: async (more, meanwhile) => void (await end('SIGTERM'), await meanwhile?.(), await start(more)),
    restartGateways: async (more) => void (await end('SIGTERM'), await start(more)),
    kept: () => keptIn(dataDir, processes),
    stop: async () => {
      await end('SIGTERM');
      await rm(dataDir, { recursive: true });
    },
  };
}

/** The sandbox's certificate for receivers of callbacks on this machine. */
export async function receiverTls(certificates: string): Promise<TlsFiles> {
  const [keyPem, chainPem] = await Promise.all(
    ['receiver.key', 'receiver.pem'].map((file) => readFile(join(certificates, file), 'utf8')),
  );
  return { keyPem: keyPem ?? '', chainPem: chainPem ?? '' };
}

async function* keptIn(folder: string, processes: readonly ChildService[]): AsyncGenerator<Kept> {
  yield* logsOf(processes);
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name);
    if (entry.isFile()) yield { place: 'file', where: file.slice(folder.length + 1), bytes: await readFile(file) };
  }
}

export function* logsOf(processes: readonly ChildService[]): Generator<Kept> {
  for (const { name, output } of processes) yield { place: 'log', where: name, bytes: Buffer.from(output) };
}
