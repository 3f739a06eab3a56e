import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** A Kafka broker and a MongoDB replica set that suites may use. */
export interface Servers {
  readonly kafkaBrokers: string;
  readonly mongodbUri: string;
  /** Their origin, for the printed line. */
  readonly source: string;
  stop(): Promise<void>;
}

/** What the environment says about servers. */
interface ServersEnv {
  readonly DSR_TEST_KAFKA_BROKERS?: string;
  readonly DSR_TEST_MONGODB_URI?: string;
  readonly DSR_TEST_SERVERS?: string;
}

const startTimeoutMs = 120_000;

/** A controller writes a record twice a second only to show that it lives: half of what an idle broker spends. */
export const QUIET_WHEN_IDLE = ['metadata.max.idle.interval.ms=0'];

/**
 * Starts, or finds, real servers: those that the environment names; else a folder with `start-kafka` and `start-mongod`; else
 * containers, where Docker answers; else `undefined`. Throws when a source that was named does not work. `brokerSettings`: of a
 * broker of the folder.
 */
export async function startServers(
  env: ServersEnv,
  brokerSettings: readonly string[] = [],
): Promise<Servers | undefined> {
  const { DSR_TEST_KAFKA_BROKERS: kafkaBrokers, DSR_TEST_MONGODB_URI: mongodbUri, DSR_TEST_SERVERS: folder } = env;
  if (kafkaBrokers && mongodbUri)
    return { kafkaBrokers, mongodbUri, source: 'the environment', stop: () => Promise.resolve() };
  if (kafkaBrokers || mongodbUri)
    throw new Error('DSR_TEST_KAFKA_BROKERS and DSR_TEST_MONGODB_URI are set together or not at all');
  if (folder) return startServersOf(folder, brokerSettings);
  return startContainers();
}

export async function startServersOf(folder: string, brokerSettings: readonly string[]): Promise<Servers> {
  const [kafka, mongod] = await bothOrNeither(
    startServer(
      join(folder, 'start-kafka'),
      brokerSettings.flatMap((setting) => ['--set', setting]),
    ),
    startServer(join(folder, 'start-mongod')),
  );
  return {
    kafkaBrokers: field(kafka.ready, 'broker'),
    mongodbUri: field(mongod.ready, 'uri'),
    source: folder,
    stop: async () => void (await Promise.all([kafka.stop(), mongod.stop()])),
  };
}

interface Startable {
  stop(): Promise<unknown>;
}

/** When one of two servers fails to start, the other must not live on after the run. */
async function bothOrNeither<A extends Startable, B extends Startable>(
  first: Promise<A>,
  second: Promise<B>,
): Promise<[A, B]> {
  const outcomes = await Promise.allSettled([first, second]);
  const failures = outcomes.filter((outcome) => outcome.status === 'rejected').map(({ reason }) => String(reason));
  if (failures.length === 0) return Promise.all([first, second]);
  await Promise.all(outcomes.filter((outcome) => outcome.status === 'fulfilled').map(({ value }) => value.stop()));
  throw new Error(`the test servers did not start: ${failures.join('; ')}`);
}

/** Starts one of the scripts, which run in the foreground and print one JSON line when their server is ready. */
export async function startServer(script: string, more: readonly string[] = [], env = process.env) {
  const child = spawn(script, ['--port', '0', ...more], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const stop = () => end(child);
  try {
    return { ready: await readyLine(child, script), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function readyLine(child: ChildProcess, script: string): Promise<unknown> {
  const signal = AbortSignal.timeout(startTimeoutMs);
  const line = new Promise<string>((resolve) => child.stdout && createInterface(child.stdout).once('line', resolve));
  const gone = once(child, 'exit', { signal }).then(([code]) => {
    throw new Error(`${script} ended with exit code ${String(code)} before its server was ready`);
  });
  return JSON.parse(await Promise.race([line, gone])) as unknown;
}

async function end(child: ChildProcess) {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  await gone;
}

function field(ready: unknown, name: string): string {
  const value = (ready as Record<string, unknown>)[name];
  if (typeof value !== 'string') throw new Error(`the ready line of a server names no ${name}`);
  return value;
}

/** Images as close to the supported versions as their registries have; they are pulled at the first use. */
const images = { kafka: 'confluentinc/cp-kafka:8.0.0', mongodb: 'mongo:8.0' };

async function startContainers(): Promise<Servers | undefined> {
  const { getContainerRuntimeClient } = await import('testcontainers');
  const docker = await getContainerRuntimeClient().catch(() => undefined);
  if (!docker) return undefined;
  const [{ KafkaContainer }, { MongoDBContainer }] = await Promise.all([
    import('@testcontainers/kafka'),
    import('@testcontainers/mongodb'),
  ]);
  const [kafka, mongodb] = await bothOrNeither(
    new KafkaContainer(images.kafka)
      .withEnvironment({ KAFKA_AUTO_CREATE_TOPICS_ENABLE: 'false' })
      .withStartupTimeout(startTimeoutMs)
      .start(),
    new MongoDBContainer(images.mongodb).withStartupTimeout(startTimeoutMs).start(),
  );
  return {
    kafkaBrokers: `${kafka.getHost()}:${String(kafka.getMappedPort(9093))}`,
    // The set's only member calls itself by a name inside of Docker, so the client must not look it up.
    mongodbUri: `${mongodb.getConnectionString()}/?directConnection=true`,
    source: 'Docker',
    stop: async () => void (await Promise.all([kafka.stop(), mongodb.stop()])),
  };
}
