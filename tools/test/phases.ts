import { resolve } from 'node:path';
import { QUIET_WHEN_IDLE, startServers, type Servers } from '../servers';
import { runCluster } from './cluster';
import { runQuietly } from './command';
import { runConsole } from './console';
import { runSuite, workersOf } from './jest';
import { runTarget } from './nx';
import { print } from './output';
import { runSimulation } from './simulation';
import { failure, nothing, sum, type Tally } from './tally';

/** The steps of `npm test` in their order. */
export const phaseNames = [
  'lockfile',
  'lint',
  'unit',
  'build',
  'simulation',
  'int',
  'e2e',
  'console',
  'faults',
  'cluster',
] as const;
export type PhaseName = (typeof phaseNames)[number];

interface PhaseOptions {
  /** From `DSR_REQUIRE_SERVERS=1`: a suite that does not run without the servers of the run is a failure. */
  readonly serversRequired: boolean;
  /** From `DSR_REQUIRE_OWN_SERVERS=1`: the same of those that start their own from a folder. */
  readonly ownServersRequired: boolean;
  /** From `DSR_REQUIRE_ALL=1`: a test that is skipped without one of the reasons of skips.ts is a failure. */
  readonly allRequired: boolean;
  /** The folder with `start-kafka` and `start-mongod`, absolute. */
  readonly serversFolder: string | undefined;
  readonly faults: 'short' | 'full';
}

/** The servers of a run, started by the first suite that asks and shared by all. */
export class SharedServers {
  private starting?: Promise<Servers | undefined>;

  constructor(private readonly start: () => Promise<Servers | undefined>) {}

  async get(): Promise<Servers | undefined> {
    this.starting ??= this.start();
    return this.starting;
  }

  async stop(): Promise<void> {
    const started = await this.starting?.catch(() => undefined);
    this.starting = undefined;
    await started?.stop();
  }
}

const environmentOf = (servers: Servers | undefined) => ({
  DSR_TEST_KAFKA_BROKERS: servers?.kafkaBrokers,
  DSR_TEST_MONGODB_URI: servers?.mongodbUri,
});

/** Each phase by its name. */
export function phases(options: PhaseOptions, servers: SharedServers): Record<PhaseName, () => Promise<Tally>> {
  const notRun = (what: string): Tally => {
    print(
      `No real servers (DSR_TEST_KAFKA_BROKERS and DSR_TEST_MONGODB_URI, DSR_TEST_SERVERS, Docker): ${what} did not run.`,
    );
    return options.serversRequired ? failure(`${what} did not run, and DSR_REQUIRE_SERVERS is set`) : nothing;
  };
  const withoutFolder = (what: string): Tally => {
    print(`No folder of real servers (DSR_TEST_SERVERS): ${what} did not run.`);
    return options.ownServersRequired ? failure(`${what} did not run, and DSR_REQUIRE_OWN_SERVERS is set`) : nothing;
  };
  return {
    lockfile: async () =>
      (await runQuietly('npm', ['ci', '--dry-run', '--ignore-scripts', '--loglevel=error']))
        ? nothing
        : failure('package-lock.json: npm ci would fail'),
    // oxlint checks the types too. Together with the checks of imports and format, so that no core is idle.
    lint: () => runTarget('lint,imports,format', { yieldsTo: 'all' }),
    unit: () => runSuite('unit', workersOf.unit, {}),
    build: () => runTarget('build'),
    simulation: runSimulation,
    int: async () => {
      const real = await servers.get();
      // Some specs start secured servers of their own.
      return real
        ? runSuite('int', workersOf.int, { ...environmentOf(real), DSR_TEST_SERVERS: options.serversFolder })
        : notRun('int');
    },
    e2e: async () => {
      const real = await servers.get();
      return sum([
        await runSuite('e2e', workersOf.e2e, environmentOf(real)),
        real ? nothing : notRun('e2e on five processes'),
      ]);
    },
    console: () => runConsole(process.env),
    faults: async () => {
      // It kills its own three brokers; the shared ones would only take cores.
      await servers.stop();
      const { serversFolder } = options;
      return serversFolder
        ? runSuite('faults', workersOf.faults, { DSR_FAULTS: options.faults, DSR_TEST_SERVERS: serversFolder })
        : withoutFolder('faults');
    },
    cluster: () => runCluster({ ...process.env, DSR_TEST_SERVERS: options.serversFolder }),
  };
}

/** Reads what the environment asks for. Relative folders start at the repository's root. */
export function optionsFrom(env: Readonly<Record<string, string | undefined>>): PhaseOptions {
  const { DSR_TEST_SERVERS: folder, DSR_FAULTS: faults } = env;
  if (faults && faults !== 'short' && faults !== 'full') throw new Error(`DSR_FAULTS is short or full, not ${faults}`);
  return {
    serversRequired: env.DSR_REQUIRE_SERVERS === '1',
    ownServersRequired: env.DSR_REQUIRE_OWN_SERVERS === '1',
    allRequired: env.DSR_REQUIRE_ALL === '1',
    serversFolder: folder ? resolve(folder) : undefined,
    faults: faults === 'full' ? 'full' : 'short',
  };
}

/** The servers of the run, as the environment names them. */
export const sharedServers = (env: Readonly<Record<string, string | undefined>>, { serversFolder }: PhaseOptions) =>
  new SharedServers(async () => {
    const servers = await startServers({ ...env, DSR_TEST_SERVERS: serversFolder }, QUIET_WHEN_IDLE);
    if (servers)
      print(`Real servers from ${servers.source}: Kafka ${servers.kafkaBrokers}, MongoDB ${servers.mongodbUri}`);
    return servers;
  });
