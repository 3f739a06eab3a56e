import { readFile } from 'node:fs/promises';
import type { ChildService, Environment } from './child-service';
import {
  account,
  applyTopics,
  domains,
  localUrl,
  makeInstallation,
  place,
  spawnPart,
  type Part,
  type Placed,
  type RealServers,
} from './installation';
import { keptDocuments } from './kept-documents';
import { keptRecords } from './kept-records';
import { otherOf } from './second-workspace';
import { suiteSettings, type Kept, type Service } from './service';
import { logsOf, receiverTls } from './standalone';

/** Two gateways, because the race between a cancel and a start is one between processes. */
const PARTS: readonly Part[] = ['gateway', 'gateway', 'request', 'callback-dispatcher', 'ingestion', 'results'];

/** Starts every app as a separate process on real servers, with databases and topics of this run. */
export async function startFiveProcesses(
  servers: RealServers,
  settings: Environment = suiteSettings,
  parts: readonly Part[] = PARTS,
): Promise<Service> {
  const { kafkaBrokers, mongodbUri } = servers;
  const installation = await makeInstallation(servers);
  const placed = await place(parts);
  const env = { ...installation.env, ...addresses(placed), ...settings };
  const processes: ChildService[] = [];
  let started: Started[] = [];
  const spawned = (one: Placed, more: Environment): Started => {
    const child = spawnPart(one, { ...env, ...more, ...(one.part === 'gateway' && { PORT_V1: String(one.portV1) }) });
    processes.push(child);
    return { ...one, child };
  };
  const ready = () => Promise.all(started.map(({ child, adminPort }) => child.ready(localUrl(adminPort))));
  const start = async (more: Environment = {}) => {
    started = placed.map((one) => spawned(one, more));
    await ready();
  };
  const restartGateways = async (more: Environment) => {
    await Promise.all(started.filter(isGateway).map(({ child }) => child.stop()));
    started = started.map((one) => (isGateway(one) ? spawned(one, more) : one));
    await ready();
  };
  const end = (signal: NodeJS.Signals) => Promise.all(processes.map((child) => child.stop(signal)));
  const remove = async () => {
    await end('SIGTERM');
    await installation.remove();
  };
  const begin = async () => {
    await applyTopics(env);
    await start();
  };
  await begin().catch(async (error: unknown) => {
    await remove();
    throw error;
  });
  const authorityPem = await readFile(installation.authorityFile, 'utf8');
  const gateways = placed.filter(isGateway);
  const [baseUrls, baseUrlsV1] = [
    gateways.map(({ port }) => localUrl(port)),
    gateways.map(({ portV1 }) => localUrl(portV1)),
  ];
  return {
    baseUrls,
    baseUrlsV1,
    ingestUrl: localUrl(placed.find(({ part }) => part === 'ingestion')?.port ?? 0),
    ...account,
    other: otherOf({ operatorEnv: env }),
    trust: { domains: [domains.domainV2], baseUrl: baseUrls[0] ?? '', authorityPem },
    trustV1: { domains: [domains.domainV1], baseUrl: baseUrlsV1[0] ?? '', authorityPem },
    certificatesDir: installation.certificatesDir,
    receiverTls: await receiverTls(installation.certificatesDir),
    processes,
    parts: () =>
      started
        .filter(({ child }) => child.running)
        .map(({ part: name, adminPort, child: { pid } }) => ({ name, pid, adminUrl: localUrl(adminPort) })),
    operatorEnv: env,
    stores: { mongodbUri, databasePrefix: `${installation.prefix}_` },
    crash: async (more) => void (await end('SIGKILL'), await start(more)),
    restart: async (more, meanwhile) => void (await end('SIGTERM'), await meanwhile?.(), await start(more)),
    restartGateways,
    kept: async function* (): AsyncGenerator<Kept> {
      yield* logsOf(processes);
      yield* keptRecords(kafkaBrokers, `${installation.prefix}.`);
      yield* keptDocuments(mongodbUri, `${installation.prefix}_`);
    },
    stop: remove,
  };
}

type Started = Placed & { readonly child: ChildService };

const isGateway = ({ part }: Placed): boolean => part === 'gateway';

function addresses(placed: readonly Placed[]): Environment {
  const processOf = (part: Part) => placed.find((one) => one.part === part);
  return {
    PUBLIC_URL_V2: localUrl(processOf('gateway')?.port ?? 0),
    PUBLIC_URL_V1: localUrl(processOf('gateway')?.portV1 ?? 0),
    RESULTS_URL: localUrl(processOf('results')?.adminPort ?? 0),
    INGESTION_URL: localUrl(processOf('ingestion')?.adminPort ?? 0),
  };
}
