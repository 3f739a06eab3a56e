import { readFile } from 'node:fs/promises';
import { V1, type ProtocolVersion } from '@opendsr-service/contracts';
import { Receiver } from '../../receiver/receiver';
import type { Trust } from '../../receiver/verification';
import type { ChildService, Environment } from '../child-service';
import type { Account } from '../controller';
import { account, applyTopics, domains, makeInstallation, type Part, type RealServers } from '../installation';
import { receiverTls } from '../standalone';
import { Deployment, type Addresses } from './deployment';
import { countParked } from './parked';
import { ServiceAddress } from './service-address';

const REPLICAS = 2;

/** A service as its callers see it while its processes come and go. */
export interface Called {
  readonly account: Account;
  /** What answers and callbacks of a version are verified with. */
  readonly trustOf: (version: ProtocolVersion) => Trust;
  readonly receiver: Receiver;
}

/** Every service with two processes each, on real servers, behind addresses that stay while processes come and go. */
export interface Cluster extends Called {
  readonly deployments: readonly Deployment[];
  deployment(part: Part): Deployment;
  /** Every process that ever ran. */
  processes(): readonly ChildService[];
  /** Connections that came in, over all addresses. */
  connections(): number;
  /** Records that could not be handled, over all services. */
  parked(): Promise<number>;
  stop(): Promise<void>;
}

export async function startCluster(servers: RealServers, settings: Environment): Promise<Cluster> {
  const installation = await makeInstallation(servers);
  const [gateway, ingest, results, exports] = (await Promise.all(
    Array.from({ length: 4 }, () => ServiceAddress.start()),
  )) as [ServiceAddress, ServiceAddress, ServiceAddress, ServiceAddress];
  const env = {
    ...installation.env,
    PUBLIC_URL_V2: gateway.url,
    PUBLIC_URL_V1: gateway.url,
    RESULTS_URL: results.url,
    INGESTION_URL: exports.url,
    ...settings,
  };
  const parts: Readonly<Record<Part, Addresses>> = {
    request: {},
    'callback-dispatcher': {},
    ingestion: { public: ingest, admin: exports },
    results: { admin: results },
    gateway: { public: gateway },
  };
  const deployments = (Object.keys(parts) as Part[]).map((part) => new Deployment(part, env, parts[part]));
  const receiver = await Receiver.start(await receiverTls(installation.certificatesDir));
  const addresses = [gateway, ingest, results, exports];
  const processes = () => deployments.flatMap((deployment) => deployment.processes);
  const stop = async () => {
    await Promise.all(processes().map((child) => child.stop()));
    await Promise.all([receiver.close(), ...addresses.map((address) => address.close())]);
    await installation.remove();
  };
  const begin = async () => {
    await applyTopics(env);
    for (let n = 0; n < REPLICAS; n++) await Promise.all(deployments.map((deployment) => deployment.add()));
  };
  await begin().catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  const authorityPem = await readFile(installation.authorityFile, 'utf8');
  const trusted = (domain: string): Trust => ({ domains: [domain], baseUrl: gateway.url, authorityPem });
  const [trustV2, trustV1] = [trusted(domains.domainV2), trusted(domains.domainV1)];
  return {
    account: { baseUrls: [gateway.url], ingestUrl: ingest.url, ...account },
    trustOf: (version) => (version === V1 ? trustV1 : trustV2),
    receiver,
    deployments,
    deployment: (part) => {
      const found = deployments.find((one) => one.part === part);
      if (!found) throw new Error(`there is no ${part}`);
      return found;
    },
    processes,
    connections: () => addresses.reduce((sum, { connections }) => sum + connections, 0),
    parked: () => countParked(servers.mongodbUri, `${installation.prefix}_`),
    stop,
  };
}
