import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  freePorts,
  startOwn,
  testCertificates,
  type OwnServer,
  type TestCertificates,
} from '@opendsr-service/storage/testing';
import { kafkaTool } from './kafka-tool';

export interface SecuredKafka {
  /** Port of the listener that lets everybody in, without TLS. */
  readonly plainPort: number;
  /** Port of the listener that wants TLS and a user who logs in. Its certificate knows the address alone. */
  readonly saslPort: number;
  /** The same of every node. */
  readonly saslPorts: readonly number[];
  /** Port of the listener that wants TLS and a certificate of each client. */
  readonly mutualPort: number;
  readonly certificates: TestCertificates;
  /** Stops a node as its operator would and starts it again; resolves when it serves. */
  restart(node: number): Promise<void>;
  /** Lets another user log in, by SCRAM alone. */
  addUser(user: KafkaUser): Promise<void>;
  /** New connections of a user are refused from now on. */
  removeUser(username: string): Promise<void>;
  stop(): Promise<void>;
}

export interface KafkaUser {
  readonly username: string;
  readonly password: string;
}

interface Shape {
  /** Where the secured listeners are. */
  readonly address?: string;
  readonly nodes?: number;
  /** Log in by PLAIN alone, and may do only what they are given; the first user and certificates may do everything. */
  readonly limitedUsers?: readonly KafkaUser[];
}

interface Ports {
  readonly plain: number;
  readonly controller: number;
  readonly sasl: number;
  readonly mutual: number;
}

/** Starts brokers that know one user, by all three mechanisms. */
export async function startSecuredKafka(
  serversFolder: string,
  user: KafkaUser,
  { address = '127.0.0.1', nodes = 1, limitedUsers = [] }: Shape = {},
): Promise<SecuredKafka> {
  const folder = await mkdtemp(join(tmpdir(), 'secured-kafka-'));
  const [certificates, ports] = await Promise.all([testCertificates(folder, address), portsOf(nodes)]);
  const voters = ports.map(({ controller }, n) => `${String(n + 1)}@127.0.0.1:${String(controller)}`).join(',');
  const brokers = ports.map((own, n) => {
    const settings = settingsOf(own, { address, certificates, users: [user, ...limitedUsers], voters });
    return new SecuredBroker(serversFolder, join(folder, `node-${String(n + 1)}`), { id: n + 1, settings, user });
  });
  const stop = async (): Promise<void> => {
    await Promise.all(brokers.map((broker) => broker.stop()));
    await rm(folder, { recursive: true });
  };
  await Promise.all(
    brokers.map(async (broker) => {
      await broker.format();
      await broker.start();
    }),
  ).catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  const [{ plain: plainPort, sasl: saslPort, mutual: mutualPort } = { plain: 0, sasl: 0, mutual: 0 }] = ports;
  const saslPorts = ports.map(({ sasl }) => sasl);
  const restart = async (node: number): Promise<void> => {
    await brokers[node]?.stop();
    await brokers[node]?.start();
  };
  // Kafka changes one credential of a user in a request.
  const alterUser = async (name: string, how: (mechanism: string) => readonly string[]): Promise<void> => {
    const who = ['--entity-type', 'users', '--entity-name', name];
    const broker = ['--bootstrap-server', `127.0.0.1:${String(plainPort)}`];
    for (const mechanism of SCRAM)
      await kafkaTool(serversFolder, 'kafka.admin.ConfigCommand', [...broker, '--alter', ...who, ...how(mechanism)]);
  };
  return {
    ...{ plainPort, saslPort, saslPorts, mutualPort, certificates, restart, stop },
    addUser: ({ username, password }) =>
      alterUser(username, (mechanism) => ['--add-config', `${mechanism}=[password=${password}]`]),
    removeUser: (username) => alterUser(username, (mechanism) => ['--delete-config', mechanism]),
  };
}

const SCRAM = ['SCRAM-SHA-256', 'SCRAM-SHA-512'] as const;

async function portsOf(nodes: number): Promise<Ports[]> {
  const free = await freePorts(4 * nodes);
  return Array.from({ length: nodes }, (_nothing, n) => {
    const [plain = 0, controller = 0, sasl = 0, mutual = 0] = free.slice(4 * n);
    return { plain, controller, sasl, mutual };
  });
}

function settingsOf(
  { plain, controller, sasl, mutual }: Ports,
  how: { address: string; certificates: TestCertificates; users: readonly KafkaUser[]; voters: string },
): Readonly<Record<string, string>> {
  const listeners = [
    `PLAINTEXT://127.0.0.1:${String(plain)}`,
    `SASL_SSL://${how.address}:${String(sasl)}`,
    `MUTUAL://${how.address}:${String(mutual)}`,
  ];
  return {
    listeners: [...listeners, `CONTROLLER://127.0.0.1:${String(controller)}`].join(','),
    'advertised.listeners': listeners.join(','),
    'listener.security.protocol.map': 'PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT,SASL_SSL:SASL_SSL,MUTUAL:SSL',
    'controller.quorum.voters': how.voters,
    // Sooner than by default, a broker that was stopped is let in again.
    'broker.session.timeout.ms': '3000',
    'broker.heartbeat.interval.ms': '500',
    ...secured(how.certificates, how.users),
    ...(how.users.length > 1 && limited(how.users[0])),
  };
}

/** One node, which can be stopped and started again on its data. */
class SecuredBroker {
  private server: OwnServer | undefined;

  constructor(
    private readonly serversFolder: string,
    private readonly folder: string,
    private readonly node: {
      readonly id: number;
      readonly settings: Readonly<Record<string, string>>;
      user: KafkaUser;
    },
  ) {}

  async format(): Promise<void> {
    await mkdir(this.folder);
    await format(this.serversFolder, this.folder, this.node);
  }

  async start(): Promise<void> {
    const { id, settings } = this.node;
    const set = Object.entries(settings).flatMap(([name, value]) => ['--set', `${name}=${value}`]);
    const voters = settings['controller.quorum.voters'] ?? '';
    const args = ['--node-id', String(id), '--voters', voters, '--data', this.folder, ...set];
    this.server = startOwn(join(this.serversFolder, 'start-kafka'), args);
    await this.server.line((line) => line.includes('"ready":true'));
  }

  async stop(): Promise<void> {
    await this.server?.stop();
    this.server = undefined;
  }
}

const secured = (certificates: TestCertificates, users: readonly KafkaUser[]) => ({
  'sasl.enabled.mechanisms': 'PLAIN,SCRAM-SHA-256,SCRAM-SHA-512',
  'listener.name.sasl_ssl.plain.sasl.jaas.config': `org.apache.kafka.common.security.plain.PlainLoginModule required ${users
    .map(({ username, password }) => `user_${username}="${password}"`)
    .join(' ')};`,
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

const limited = (all?: KafkaUser) => ({
  'authorizer.class.name': 'org.apache.kafka.metadata.authorizer.StandardAuthorizer',
  'super.users': `User:ANONYMOUS;User:${all?.username ?? ''};User:CN=client`,
});

/**
 * Users of SCRAM are in the log of the cluster before its first start, which start-kafka offers no way to say; it
 * formats no folder twice.
 */
async function format(
  serversFolder: string,
  folder: string,
  { id, settings, user }: { id: number; settings: Readonly<Record<string, string>>; user: KafkaUser },
): Promise<void> {
  const own = {
    'process.roles': 'broker,controller',
    'node.id': String(id),
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
  const scram = SCRAM.flatMap((mechanism) => [
    '--add-scram',
    `${mechanism}=[name=${user.username},password=${user.password}]`,
  ]);
  await kafkaTool(serversFolder, 'kafka.tools.StorageTool', [
    ...['format', '--cluster-id', 'c2VydmVycy1mb3ItdGVzdA', '--config', file],
    ...scram,
  ]);
}
