import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureSandboxCertificates } from '@opendsr-service/signing';
import { ensureLogKey, ensureMasterKey, logName } from '@opendsr-service/vault';
import { ChildService, type Environment } from './child-service';
import { freePorts } from './free-ports';
import { dropDatabases } from './kept-documents';
import { dropTopics } from './kept-records';
import { dsr } from './operator';

export interface RealServers {
  readonly kafkaBrokers: string;
  readonly mongodbUri: string;
}

export type Part = 'gateway' | 'request' | 'callback-dispatcher' | 'ingestion' | 'results';

/** A process of a part, by its ports. */
export interface Placed {
  readonly part: Part;
  readonly port: number;
  readonly adminPort: number;
  /** For gateways with a separate listener for version 1, as with a host name for each root. */
  readonly portV1: number;
}

/** The shared stores, topics, keys and certificates of the processes of one service, for one run. */
interface Installation {
  /** Of every process; where parts find each other is not in it. */
  readonly env: Environment;
  readonly prefix: string;
  readonly certificatesDir: string;
  readonly authorityFile: string;
  /** Once nothing runs any more: leaves nothing behind. */
  remove(): Promise<void>;
}

export const account = { key: 'e2e-key', secret: 'e2e-secret-of-the-sandbox' };
export const domains = { domainV2: 'opendsr.e2e.example', domainV1: 'opengdpr.e2e.example' };
const PORTS_EACH = 3;

export const localUrl = (port: number): string => `http://127.0.0.1:${String(port)}`;

export async function makeInstallation({ kafkaBrokers, mongodbUri }: RealServers): Promise<Installation> {
  const folder = await mkdtemp(join(tmpdir(), 'opendsr-e2e-'));
  const prefix = `e2e-${randomBytes(4).toString('hex')}`;
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
  };
  return {
    env,
    prefix,
    certificatesDir: certificates.folder,
    authorityFile: certificates.authorityFile,
    remove: async () => {
      await dropDatabases(mongodbUri, `${prefix}_`);
      await dropTopics(kafkaBrokers, `${prefix}.`);
      await rm(folder, { recursive: true });
    },
  };
}

/** As an operator does before the first start. */
export async function applyTopics(operatorEnv: Environment): Promise<void> {
  const { code, output } = await dsr({ operatorEnv }, 'topics', 'apply');
  if (code !== 0) throw new Error(`dsr topics apply failed:\n${output}`);
}

/** Gives each part ports that are free. */
export async function place(parts: readonly Part[]): Promise<Placed[]> {
  const ports = await freePorts(parts.length * PORTS_EACH);
  return parts.map((part, n): Placed => {
    const [port = 0, adminPort = 0, portV1 = 0] = ports.slice(n * PORTS_EACH);
    return { part, port, adminPort, portV1 };
  });
}

/** Starts a part as a separate process; `env` may contain the port of version 1. */
export const spawnPart = ({ part, port, adminPort }: Placed, env: Environment): ChildService =>
  ChildService.spawn({
    name: part,
    args: [`apps/${part}/dist/main.mjs`],
    env: { ...env, PORT: String(port), ADMIN_PORT: String(adminPort) },
  });

/** The keys, certificates and tokens of an installation, by file. */
export async function makeSecrets(root: string) {
  const folder = join(root, 'certificates');
  const { authorityFile, v2, v1 } = await ensureSandboxCertificates(folder, { ...domains, now: new Date() });
  const masterKeyFile = join(root, 'master.key');
  await ensureMasterKey(masterKeyFile);
  const logKeyFile = join(root, 'transparency.key');
  await ensureLogKey(logKeyFile, logName(domains.domainV2));
  const tokenFile = join(root, 'internal.token');
  await writeFile(tokenFile, randomBytes(32).toString('base64url'), { mode: 0o600 });
  const env = {
    MASTER_KEY_FILE: masterKeyFile,
    INTERNAL_TOKEN_FILE: tokenFile,
    TRANSPARENCY_KEY_FILE: logKeyFile,
    SIGNING_KEY_FILE_V2: v2.keyFile,
    SIGNING_CHAIN_FILE_V2: v2.chainFile,
    SIGNING_KEY_FILE_V1: v1.keyFile,
    SIGNING_CHAIN_FILE_V1: v1.chainFile,
    CALLBACK_CA_FILE: authorityFile,
    CALLBACK_ALLOW_CIDRS: '127.0.0.0/8',
    // By name too: receivers listen on ports of their own, which a range does not open.
    CALLBACK_ALLOW_HOSTS: 'localhost,127.0.0.1',
    SANDBOX_KEY: account.key,
    SANDBOX_SECRET: account.secret,
  };
  return { folder, authorityFile, env };
}
