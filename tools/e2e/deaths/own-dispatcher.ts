import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TOPICS } from '@opendsr-service/contracts';
import { openLog, type EventLog } from '@opendsr-service/messaging';
import { openStorage } from '@opendsr-service/storage';
import { loadMasterKey, openVault, type Vault } from '@opendsr-service/vault';
import type { TlsFiles } from '../../receiver/receiver';
import { ChildService, type Environment } from '../child-service';
import { domains, makeSecrets, type RealServers } from '../installation';
import { freePorts } from '../free-ports';
import { dropDatabases } from '../kept-documents';
import { dropTopics } from '../kept-records';
import { receiverTls } from '../standalone';
import type { SavedCertificate } from './checking-receiver';

/**
 * The callback-dispatcher on real servers with its own databases and topics, and an event log and a vault to feed it.
 */
export interface OwnDispatcher {
  readonly log: EventLog;
  readonly vault: Vault;
  readonly receiverTls: TlsFiles;
  /** What callbacks are verified with. */
  readonly saved: SavedCertificate;
  /** Everyone that ever ran. */
  readonly processes: readonly ChildService[];
  start(): Promise<void>;
  kill(): Promise<void>;
  remove(): Promise<void>;
}

/** Prepares all that a dispatcher needs; it does not run yet. */
export async function prepareDispatcher(
  { kafkaBrokers, mongodbUri }: RealServers,
  settings: Environment,
): Promise<OwnDispatcher> {
  const folder = await mkdtemp(join(tmpdir(), 'opendsr-deaths-'));
  const prefix = `deaths-${randomBytes(4).toString('hex')}`;
  const { folder: certificates, authorityFile, env: secrets } = await makeSecrets(folder);
  const [adminPort = 0] = await freePorts(1);
  const log = await openLog({
    kafka: { brokers: kafkaBrokers.split(','), clientId: 'deaths', topicPrefix: `${prefix}.` },
  });
  await log.topics.apply(Object.values(TOPICS), { replication: 1, minIsr: 1 });
  const storage = await openStorage({ mongodbUri, databasePrefix: `${prefix}_` });
  const { vault } = await openVault(
    await storage.database('keys'),
    { masterKey: await loadMasterKey(secrets.MASTER_KEY_FILE) },
    Date.now,
    log.publisher,
  );
  const env = {
    ...{ HOST: '127.0.0.1', ADMIN_PORT: String(adminPort), TIMING_PROFILE: 'sandbox' },
    ...{ KAFKA_BROKERS: kafkaBrokers, KAFKA_TOPIC_PREFIX: `${prefix}.`, TOPIC_REPLICATION: '1', TOPIC_MIN_ISR: '1' },
    ...{ MONGODB_URI: mongodbUri, MONGODB_DATABASE_PREFIX: `${prefix}_` },
    ...{
      PROCESSOR_DOMAIN_V2: domains.domainV2,
      PROCESSOR_DOMAIN_V1: domains.domainV1,
      PUBLIC_URL_V2: 'https://dsr.example',
      PUBLIC_URL_V1: 'https://gdpr.example',
    },
    ...secrets,
    ...settings,
  };
  const [authorityPem, certificatePem] = await Promise.all([
    readFile(authorityFile, 'utf8'),
    readFile(secrets.SIGNING_CHAIN_FILE_V2, 'utf8'),
  ]);
  const processes: ChildService[] = [];
  const end = (signal: NodeJS.Signals) => Promise.all(processes.map((child) => child.stop(signal)));
  return {
    log,
    vault,
    receiverTls: await receiverTls(certificates),
    saved: { domain: domains.domainV2, authorityPem, certificatePem },
    processes,
    start: async () => {
      const child = ChildService.spawn({
        name: 'callback-dispatcher',
        args: ['apps/callback-dispatcher/dist/main.mjs'],
        env,
      });
      processes.push(child);
      await child.ready(`http://127.0.0.1:${String(adminPort)}`);
    },
    kill: async () => void (await end('SIGKILL')),
    remove: async () => {
      await end('SIGTERM');
      await Promise.all([storage.close(), log.close()]);
      await Promise.all([dropDatabases(mongodbUri, `${prefix}_`), dropTopics(kafkaBrokers, `${prefix}.`)]);
      await rm(folder, { recursive: true });
    },
  };
}
