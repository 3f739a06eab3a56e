import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { availableParallelism, cpus, totalmem } from 'node:os';
import { dirname } from 'node:path';
import { startServers, type Servers } from '../servers';
import { runQuietly } from '../test/command';
import { measureCallbacks } from './callbacks';
import { measureConsole } from './console';
import { measureCreates, measureGrown, measureSteady } from './creates';
import type { FloorTasks } from './floor';
import type { Floor } from './floor-ratios';
import { startEmbedded, startOnServers } from './forms';
import type { GeneratorTasks } from './generator';
import { withHelper, type HelperProcess } from './helper-process';
import { measureIdle } from './idle';
import { measureLives } from './lives';
import { measureData } from './measure-data';
import { measureOperations } from './operations';
import type { OperationsMeasured } from './operations-result';
import { measureOverload } from './overload';
import { readOptions, type BenchOptions } from './options';
import { againstLine, commitOf, RELEASE_FILE, textOf, type KeptResult } from './release';
import { faultsOf, toJson, type BenchResult, type FormName, type FormResult } from './result';
import type { Rig } from './rig';
import { measureStart } from './start';
import { tableOf } from './table';

const say = (line: string): void => void process.stderr.write(`bench: ${line}\n`);

/** More threads than cores, because one of them also runs the loop that hands out the work. */
const THREADS_PER_CORE = 2;

const signaturesWith = (threads: number, durationMs: number): Promise<number> =>
  withHelper('floor', (floor: HelperProcess<FloorTasks>) => floor.ask('signatures', { durationMs }), threads);

async function measureFloor(durationMs: number): Promise<Floor> {
  say('the floor');
  const allCoresPerSecond = await signaturesWith(THREADS_PER_CORE * availableParallelism(), durationMs);
  return { allCoresPerSecond, oneCorePerSecond: await signaturesWith(1, durationMs) };
}

async function measureForm(form: FormName, rig: Rig, options: BenchOptions): Promise<FormResult> {
  const { only, requests, settings } = options;
  const wants = (...names: readonly (typeof only)[number][]) => names.some((name) => only.includes(name));
  const where = async <T>(isWanted: boolean, measure: () => Promise<T>): Promise<T | null> =>
    isWanted ? measure() : null;
  const answered = await where(wants('creates', 'reads'), () => measureCreates(rig, wants('reads')));
  return {
    form,
    creates: answered?.creates ?? null,
    reads: answered?.reads ?? null,
    steady: await where(wants('steady'), () => measureSteady(rig)),
    lives: await where(wants('lives'), () => measureLives(rig)),
    idle: await where(wants('idle'), () => measureIdle(rig)),
    overload: await where(wants('overload'), () => measureOverload(rig)),
    callbacks: await where(wants('callbacks'), () => measureCallbacks(rig, settings)),
    operations: await where(wants('operations') && form === 'servers', () => measureOperationsOf(rig)),
    console: await where(wants('console'), () => measureConsole(rig, requests)),
    grown: await where(wants('grown'), () => measureGrown(rig, requests)),
    start: await where(wants('start') && form === 'embedded', measureStart),
    data: await measureData(rig, options),
  };
}

async function measureOperationsOf(rig: Rig): Promise<OperationsMeasured | null> {
  const { DSR_TEST_SERVERS: folder } = process.env;
  if (folder) return measureOperations(rig, folder);
  rig.say('operations are counted on servers of DSR_TEST_SERVERS only');
  return null;
}

async function measureForms(options: BenchOptions, generator: HelperProcess<GeneratorTasks>): Promise<FormResult[]> {
  const { replicas, livesPerSecond, seconds } = options;
  const results: FormResult[] = [];
  for (const form of options.forms) {
    const print = (line: string) => {
      say(`${form}: ${line}`);
    };
    const given = { generator, replicas, livesPerSecond, windowMs: seconds * 1000, say: print };
    results.push(await withForm(form, (place) => measureForm(form, { ...place, ...given }, options), options));
  }
  return results;
}

/** The servers are there only while their form is measured: idle ones would still use the processors. */
async function withForm<T>(
  form: FormName,
  work: (place: Pick<Rig, 'start' | 'brokers'>) => Promise<T>,
  { settings: all, replicas }: BenchOptions,
): Promise<T> {
  if (form === 'embedded')
    return work({ start: (settings) => startEmbedded({ ...settings, ...all }), brokers: undefined });
  const servers = await requireServers();
  try {
    return await work({
      start: (settings) => startOnServers(servers, { ...settings, ...all }, replicas),
      brokers: servers.kafkaBrokers,
    });
  } finally {
    await servers.stop();
  }
}

async function requireServers(): Promise<Servers> {
  const servers = await startServers(process.env);
  if (!servers)
    throw new Error(
      'no Kafka and MongoDB: set DSR_TEST_SERVERS, or DSR_TEST_KAFKA_BROKERS and DSR_TEST_MONGODB_URI, ' +
        'or start Docker; or leave them out with --forms embedded',
    );
  return servers;
}

const machine = () => ({
  cpu: cpus()[0]?.model ?? '',
  cores: availableParallelism(),
  memoryGib: Math.round(totalmem() / 2 ** 30),
  node: process.version,
});

async function bench(): Promise<void> {
  const options = readOptions(process.argv.slice(2));
  if (!options.built && !(await runQuietly('nx', ['run-many', '-t', 'build', '--parallel=2'])))
    throw new Error('the apps could not be built');
  const before = JSON.parse(await readFile(options.against, 'utf8')) as KeptResult;
  const startedAt = new Date().toISOString();
  const floor = await measureFloor(Math.min(options.seconds, 10) * 1000);
  const result: BenchResult = {
    startedAt,
    commit: await commitOf(),
    machine: machine(),
    seconds: options.seconds,
    settings: options.settings,
    replicas: options.replicas,
    floor,
    forms: await withHelper('generator', (generator: HelperProcess<GeneratorTasks>) =>
      measureForms(options, generator),
    ),
  };
  await mkdir(dirname(options.out), { recursive: true });
  await writeFile(options.out, textOf(toJson(result)));
  process.stdout.write(
    `${tableOf(result, before)}\n\n${againstLine(before, options.against)}\nwritten to ${options.out}\n`,
  );
  const faults = faultsOf(result);
  for (const fault of faults) say(fault);
  if (faults.length > 0) process.exitCode = 1;
  else if (options.keep) await writeFile(RELEASE_FILE, textOf(toJson(result)));
}

bench().catch((error: unknown) => {
  say(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
});
