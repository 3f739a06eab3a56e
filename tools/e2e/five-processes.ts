import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureSandboxCertificates } from '@opendsr-service/signing';
import { ensureMasterKey } from '@opendsr-service/vault';
import { ChildService, type Environment } from './child-service';
import { freePorts } from './free-ports';
import { dropDatabases, keptDocuments } from './kept-documents';
import { dropTopics, keptRecords } from './kept-records';
import { makeOther } from './second-workspace';
import { suiteSettings, type Kept, type Service } from './service';
import { logsOf, receiverTls } from './standalone';

export interface RealServers {
  readonly kafkaBrokers: string;
  readonly mongodbUri: string;
}

const key = 'e2e-key';
const secret = 'e2e-secret-of-the-sandbox';
export const domains = { domainV2: 'opendsr.e2e.example', domainV1: 'opengdpr.e2e.example' };

/** Two gateways, because the race between a cancel and a start is one between processes. */
const parts = ['gateway', 'gateway', 'request', 'callback-dispatcher', 'ingestion', 'results'] as const;
type Part = (typeof parts)[number];
const PORTS_EACH = 3;

interface Placed {
  readonly part: Part;
  readonly port: number;
  readonly adminPort: number;
  /** Gateways answer version 1 on a listener of its own, as where each root has its own host name. */
  readonly portV1: number;
}

const url = (port: number) => `http://127.0.0.1:${String(port)}`;

/** Starts every app as a process of its own on real servers, in databases and topics of this run alone. */
export async function startFiveProcesses({ kafkaBrokers, mongodbUri }: RealServers, settings: Environment = suiteSettings): Promise<Service> {
  const folder = await mkdtemp(join(tmpdir(), 'opendsr-e2e-'));
  const prefix = `e2e-${randomBytes(4).toString('hex')}`;
  const ports = await freePorts(parts.length * PORTS_EACH);
  const placed = parts.map((part, n): Placed => {
    const [port = 0, adminPort = 0, portV1 = 0] = ports.slice(n * PORTS_EACH);
    return { part, port, adminPort, portV1 };
  });
  const certificates = await makeSecrets(folder);
  const env = {
    HOST: '127.0.0.1',
    KAFKA_BROKERS: kafkaBrokers,
    KAFKA_TOPIC_PREFIX: `${prefix}.`,
    TOPIC_REPLICATION: '1',
    TOPIC_MIN_ISR: '1',
    MONGODB_URI: mongodbUri,
    MONGODB_DATABASE_PREFIX: `${prefix}_`,
    PROCESSOR_DOMAIN_V2: domains.domainV2,
    PROCESSOR_DOMAIN_V1: domains.domainV1,
    ...certificates.env,
    ...addresses(placed),
    ...settings,
  };
  const processes: ChildService[] = [];
  let started: (Placed & { readonly child: ChildService })[] = [];
  const start = async (more: Environment = {}) => {
    started = placed.map((one) => ({ ...one, child: spawnPart(one, { ...env, ...more }) }));
    processes.push(...started.map(({ child }) => child));
    await Promise.all(started.map(({ child, adminPort }) => child.ready(url(adminPort))));
  };
  const end = (signal: NodeJS.Signals) => Promise.all(processes.map((child) => child.stop(signal)));
  const remove = async () => {
    await end('SIGTERM');
    await dropDatabases(mongodbUri, `${prefix}_`);
    await dropTopics(kafkaBrokers, `${prefix}.`);
    await rm(folder, { recursive: true });
  };
  const begin = async () => {
    await applyTopics(env, processes);
    await start();
    return makeOther({ operatorEnv: env });
  };
  const other = await begin().catch(async (error: unknown) => {
    await remove();
    throw error;
  });
  const authorityPem = await readFile(certificates.authorityFile, 'utf8');
  const gateways = placed.filter(({ part }) => part === 'gateway');
  const [baseUrls, baseUrlsV1] = [gateways.map(({ port }) => url(port)), gateways.map(({ portV1 }) => url(portV1))];
  return {
    baseUrls,
    baseUrlsV1,
    ingestUrl: url(placed.find(({ part }) => part === 'ingestion')?.port ?? 0),
    key,
    secret,
    other,
    trust: { domains: [domains.domainV2], baseUrl: baseUrls[0] ?? '', authorityPem },
    trustV1: { domains: [domains.domainV1], baseUrl: baseUrlsV1[0] ?? '', authorityPem },
    certificatesDir: certificates.folder,
    receiverTls: await receiverTls(certificates.folder),
    processes,
    parts: () => started.filter(({ child }) => child.running).map(({ part: name, adminPort, child: { pid } }) => ({ name, pid, adminUrl: url(adminPort) })),
    operatorEnv: env,
    stores: { mongodbUri, databasePrefix: `${prefix}_` },
    crash: async (more) => void (await end('SIGKILL'), await start(more)),
    restart: async (more, meanwhile) => void (await end('SIGTERM'), await meanwhile?.(), await start(more)),
    kept: async function* (): AsyncGenerator<Kept> {
      yield* logsOf(processes);
      yield* keptRecords(kafkaBrokers, `${prefix}.`);
      yield* keptDocuments(mongodbUri, `${prefix}_`);
    },
    stop: remove,
  };
}

/** The keys, certificates and tokens of an installation, by file. */
export async function makeSecrets(root: string) {
  const folder = join(root, 'certificates');
  const { authorityFile, v2, v1 } = await ensureSandboxCertificates(folder, { ...domains, now: new Date() });
  const masterKeyFile = join(root, 'master.key');
  await ensureMasterKey(masterKeyFile);
  const tokenFile = join(root, 'internal.token');
  await writeFile(tokenFile, randomBytes(32).toString('base64url'), { mode: 0o600 });
  const env = {
    MASTER_KEY_FILE: masterKeyFile,
    INTERNAL_TOKEN_FILE: tokenFile,
    SIGNING_KEY_FILE_V2: v2.keyFile,
    SIGNING_CHAIN_FILE_V2: v2.chainFile,
    SIGNING_KEY_FILE_V1: v1.keyFile,
    SIGNING_CHAIN_FILE_V1: v1.chainFile,
    CALLBACK_CA_FILE: authorityFile,
    CALLBACK_ALLOW_CIDRS: '127.0.0.0/8',
    // By name too: receivers listen on ports of their own, which a range does not open.
    CALLBACK_ALLOW_HOSTS: 'localhost,127.0.0.1',
    SANDBOX_KEY: key,
    SANDBOX_SECRET: secret,
  };
  return { folder, authorityFile, env };
}

function addresses(placed: readonly Placed[]): Environment {
  const of = (part: Part) => placed.find((one) => one.part === part);
  return {
    PUBLIC_URL_V2: url(of('gateway')?.port ?? 0),
    PUBLIC_URL_V1: url(of('gateway')?.portV1 ?? 0),
    RESULTS_URL: url(of('results')?.adminPort ?? 0),
    INGESTION_URL: url(of('ingestion')?.adminPort ?? 0),
  };
}

const spawnPart = ({ part, port, adminPort, portV1 }: Placed, env: Environment) =>
  ChildService.spawn({
    name: part,
    args: [`apps/${part}/dist/main.mjs`],
    env: { ...env, PORT: String(port), ADMIN_PORT: String(adminPort), ...(part === 'gateway' && { PORT_V1: String(portV1) }) },
  });

async function applyTopics(env: Environment, processes: ChildService[]): Promise<void> {
  const cli = ChildService.spawn({ name: 'dsr', args: ['apps/cli/dist/main.mjs', 'topics', 'apply'], env });
  processes.push(cli);
  if ((await cli.exit()) !== 0) throw new Error(`dsr topics apply failed:\n${cli.output}`);
}
