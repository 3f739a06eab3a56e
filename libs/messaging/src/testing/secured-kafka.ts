import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePorts, startOwn, testCertificates, type TestCertificates } from '@opendsr-service/storage/testing';

export interface SecuredKafka {
  /** Port of the listener that wants TLS and a user who logs in. Its certificate knows the address alone. */
  readonly saslPort: number;
  /** Port of the listener that wants TLS and a certificate of each client. */
  readonly mutualPort: number;
  readonly certificates: TestCertificates;
  stop(): Promise<void>;
}

interface User {
  readonly username: string;
  readonly password: string;
}

/** Starts a broker that knows one user, by all three mechanisms. `address`: where the secured listeners are. */
export async function startSecuredKafka(
  serversFolder: string,
  user: User,
  address = '127.0.0.1',
): Promise<SecuredKafka> {
  const folder = await mkdtemp(join(tmpdir(), 'secured-kafka-'));
  const [certificates, [port = 0, controllerPort = 0, saslPort = 0, mutualPort = 0]] = await Promise.all([
    testCertificates(folder, address),
    freePorts(4),
  ]);
  const listeners = [
    `PLAINTEXT://127.0.0.1:${String(port)}`,
    `SASL_SSL://${address}:${String(saslPort)}`,
    `MUTUAL://${address}:${String(mutualPort)}`,
  ];
  const settings = {
    listeners: [...listeners, `CONTROLLER://127.0.0.1:${String(controllerPort)}`].join(','),
    'advertised.listeners': listeners.join(','),
    'listener.security.protocol.map': 'PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT,SASL_SSL:SASL_SSL,MUTUAL:SSL',
    'controller.quorum.voters': `1@127.0.0.1:${String(controllerPort)}`,
    ...secured(certificates, user),
  };
  await format(serversFolder, folder, { settings, user });
  const args = Object.entries(settings).flatMap(([name, value]) => ['--set', `${name}=${value}`]);
  const server = startOwn(join(serversFolder, 'start-kafka'), [
    '--port',
    String(port),
    '--controller-port',
    String(controllerPort),
    '--data',
    folder,
    ...args,
  ]);
  const stop = async (): Promise<void> => {
    await server.stop();
    await rm(folder, { recursive: true });
  };
  await server
    .line((line) => line.includes('"ready":true'))
    .catch(async (error: unknown) => {
      await stop();
      throw error;
    });
  return { saslPort, mutualPort, certificates, stop };
}

const secured = (certificates: TestCertificates, { username, password }: User) => ({
  'sasl.enabled.mechanisms': 'PLAIN,SCRAM-SHA-256,SCRAM-SHA-512',
  'listener.name.sasl_ssl.plain.sasl.jaas.config': `org.apache.kafka.common.security.plain.PlainLoginModule required user_${username}="${password}";`,
  'listener.name.sasl_ssl.scram-sha-256.sasl.jaas.config':
    'org.apache.kafka.common.security.scram.ScramLoginModule required;',
  'listener.name.sasl_ssl.scram-sha-512.sasl.jaas.config':
    'org.apache.kafka.common.security.scram.ScramLoginModule required;',
  'listener.name.mutual.ssl.client.auth': 'required',
  'ssl.keystore.type': 'PEM',
  'ssl.keystore.location': certificates.serverFile,
  'ssl.truststore.type': 'PEM',
  'ssl.truststore.location': certificates.authorityFile,
});

/**
 * Users of SCRAM are in the log of the cluster before its first start, which start-kafka offers no way to say; it
 * formats no folder twice.
 */
async function format(
  serversFolder: string,
  folder: string,
  { settings, user }: { settings: Readonly<Record<string, string>>; user: User },
): Promise<void> {
  const own = {
    'process.roles': 'broker,controller',
    'node.id': '1',
    'controller.listener.names': 'CONTROLLER',
    'log.dirs': join(folder, 'log'),
    ...settings,
  };
  const file = join(folder, 'format.properties');
  await writeFile(
    file,
    Object.entries(own)
      .map(([name, value]) => `${name}=${value}\n`)
      .join(''),
  );
  const scram = ['SCRAM-SHA-256', 'SCRAM-SHA-512'].flatMap((mechanism) => [
    '--add-scram',
    `${mechanism}=[name=${user.username},password=${user.password}]`,
  ]);
  const tool = [
    '-XX:TieredStopAtLevel=1',
    '-Xshare:auto',
    '-Dorg.slf4j.simpleLogger.defaultLogLevel=off',
    '-cp',
    join(serversFolder, 'kafka', '*'),
    'kafka.tools.StorageTool',
  ];
  await promisify(execFile)('java', [
    ...tool,
    'format',
    '--cluster-id',
    'c2VydmVycy1mb3ItdGVzdA',
    '--config',
    file,
    ...scram,
  ]);
}
