import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { ChildService } from '../e2e/child-service';
import type { Account } from '../e2e/controller';
import { freePorts } from '../e2e/free-ports';
import { noRateLimits } from '../e2e/service';
import type { Trust } from '../receiver/verification';
import { placeOf, type ReceiverPlace } from './receiver-place';

interface DemoEnvironment {
  readonly DSR_URL?: string;
  readonly DSR_INGEST_URL?: string;
  readonly DATA_DIR?: string;
  readonly SANDBOX_KEY?: string;
  readonly SANDBOX_SECRET?: string;
  readonly PROCESSOR_DOMAIN_V2?: string;
  readonly PROCESSOR_DOMAIN_V1?: string;
  readonly DEMO_RECEIVER_HOST?: string;
}

/** The address, credentials and trust of a sandbox. */
export interface Sandbox {
  readonly account: Account;
  /** Of version 2. */
  readonly trust: Trust;
  readonly trustV1: Trust;
  /** Where callbacks are received. */
  readonly receiver: ReceiverPlace;
  /** How it came to be there. */
  readonly origin: string;
  /** Stops only the service that the demo started. */
  stop(): Promise<void>;
}

const DEFAULT_URL = 'http://localhost:8080';

/** The service that runs at DSR_URL, or, where none is named and none answers, one that is started for the demo. */
export async function findOrStart(env: DemoEnvironment): Promise<Sandbox> {
  const url = env.DSR_URL ?? DEFAULT_URL;
  if (await answers(url))
    return describe(url, resolve(env.DATA_DIR ?? 'data'), env, {
      origin: `runs at ${url}`,
      stop: () => Promise.resolve(),
    });
  if (env.DSR_URL !== undefined) throw new Error(`no service answers at ${url}`);
  return start();
}

const answers = (url: string): Promise<boolean> =>
  fetch(`${url}/v2/discovery`).then(
    ({ ok }) => ok,
    () => false,
  );

async function start(): Promise<Sandbox> {
  const dataDir = await mkdtemp(join(tmpdir(), 'opendsr-demo-'));
  const [port = 0, adminPort = 0] = await freePorts(2);
  const service = ChildService.spawn({
    name: 'npm start',
    args: ['tools/start.mjs'],
    env: {
      PORT: String(port),
      ADMIN_PORT: String(adminPort),
      DATA_DIR: dataDir,
      HOME: process.env.HOME ?? dataDir,
      ...noRateLimits,
    },
  });
  const stop = async () => {
    await service.stop();
    await rm(dataDir, { recursive: true });
  };
  try {
    await service.ready(`http://localhost:${String(adminPort)}`, 180_000);
    return await describe(
      `http://localhost:${String(port)}`,
      dataDir,
      {},
      { origin: `was started for this demo, on embedded stores in ${dataDir}`, stop },
    );
  } catch (error) {
    await stop();
    throw error;
  }
}

async function describe(
  url: string,
  dataDir: string,
  env: DemoEnvironment,
  life: Pick<Sandbox, 'origin' | 'stop'>,
): Promise<Sandbox> {
  const certificates = join(dataDir, 'certificates');
  try {
    const { key, secret } = await credentials(dataDir, env);
    const place = { baseUrl: url, authorityPem: await readFile(join(certificates, 'authority.pem'), 'utf8') };
    return {
      ...life,
      account: { baseUrls: [url], ingestUrl: env.DSR_INGEST_URL ?? url, key, secret },
      trust: { ...place, domains: [env.PROCESSOR_DOMAIN_V2 ?? 'opendsr.localhost'] },
      trustV1: { ...place, domains: [env.PROCESSOR_DOMAIN_V1 ?? 'opengdpr.localhost'] },
      receiver: await placeOf(certificates, env.DEMO_RECEIVER_HOST),
    };
  } catch (error) {
    throw new Error(
      `${dataDir} does not hold a sandbox's credentials and certificates: set DATA_DIR to the data folder of the service at ${url}`,
      { cause: error },
    );
  }
}

async function credentials(
  dataDir: string,
  { SANDBOX_KEY: key, SANDBOX_SECRET: secret }: DemoEnvironment,
): Promise<{ key: string; secret: string }> {
  if (key && secret) return { key, secret };
  return JSON.parse(await readFile(join(dataDir, 'sandbox-credentials.json'), 'utf8')) as {
    key: string;
    secret: string;
  };
}
