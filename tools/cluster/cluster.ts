// `npm run cluster`: installs the chart on a real Kubernetes, upgrades it under calls, breaks it, and says what callers saw of that.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { findHelm } from '../chart/helm';
import { spareJava } from '../java';
import { bringImage } from './image';
import { Installation } from './installation';
import { Kubernetes } from './kubernetes';
import { Proof } from './proof';
import { fullSteps, shortSteps, type Step } from './steps';
import { Stores } from './stores';

const usage = `npm run cluster -- [--short] [--only STEP,…] [--report FILE]
  --short   one broker and one MongoDB server, and the steps that .ci/run runs
  --report  writes what passed and failed, and the table of the steps, for programs
  --only    these steps alone, after the installation: ${Object.keys(fullSteps).join(', ')}
Needs root, Podman or Docker, helm, the folder of a cluster's programs in DSR_TEST_CLUSTER and that of the servers in DSR_TEST_SERVERS.`;

const COPIES = 3;

class UsageError extends Error {}

function chosen(only: string | undefined, short: boolean): readonly Step[] {
  if (only === undefined) return Object.values(short ? shortSteps : fullSteps);
  return only.split(',').map((name) => {
    const step = fullSteps[name];
    if (!step) throw new UsageError(`no such step: ${name}\n${usage}`);
    return step;
  });
}

/** Frees what was made, the newest first, also where making the next thing failed. */
async function withAll<T>(run: (defer: (end: () => Promise<unknown>) => void) => Promise<T>): Promise<T> {
  const ends: (() => Promise<unknown>)[] = [];
  try {
    return await run((end) => ends.unshift(end));
  } finally {
    for (const end of ends) await end();
  }
}

function prove(proof: Proof, steps: readonly Step[], tools: { cluster: string; servers: string; helm: string }) {
  return withAll(async (defer) => {
    const folder = await mkdtemp(join(tmpdir(), 'opendsr-cluster-run-'));
    defer(() => rm(folder, { recursive: true, force: true }));
    const cluster = await proof.step('A cluster', undefined, () => Kubernetes.start(tools.cluster, tools.helm));
    defer(() => cluster.stop());
    const copies = proof.short ? 1 : COPIES;
    const [stores] = await proof.step('Kafka, MongoDB and the image', undefined, () =>
      Promise.all([Stores.start(tools.servers, cluster.hostIp, copies), bringImage(cluster, folder, !proof.short)]),
    );
    defer(() => stores.stop());
    const title = 'Installed by the lines of the page, until every pod is ready';
    const installation = await proof.step(title, undefined, () =>
      Installation.install({ cluster, stores, parent: folder }, 'production'),
    );
    defer(() => installation.close());
    for (const step of steps) await step(proof, installation).catch((error: unknown) => proof.broke(error));
  });
}

async function writeReport(file: string, { checks, rows: steps }: Proof): Promise<void> {
  const { passed, failed } = checks.result;
  const failures = failed.map((name) => ({ name }));
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, JSON.stringify({ passed, failed: failed.length, failures, steps }));
}

async function run(): Promise<number> {
  const { values } = parseArgs({
    options: {
      short: { type: 'boolean', default: false },
      only: { type: 'string' },
      report: { type: 'string' },
      help: { type: 'boolean' },
    },
  });
  const { DSR_TEST_CLUSTER: cluster, DSR_TEST_SERVERS: servers } = process.env;
  const helm = findHelm(process.env);
  if (values.help || !cluster || !servers || !helm || process.getuid?.() !== 0) {
    console.error(usage);
    return 2;
  }
  await spareJava(resolve(servers));
  const proof = new Proof(values.short);
  await prove(proof, chosen(values.only, values.short), {
    cluster: resolve(cluster),
    servers: resolve(servers),
    helm,
  }).catch((error: unknown) => proof.broke(error));
  if (values.report !== undefined) await writeReport(values.report, proof);
  return proof.end();
}

// What a failed step left open would keep the process alive.
process.exit(
  await run().catch((error: unknown) => {
    console.error(error instanceof UsageError ? error.message : error);
    return 2;
  }),
);
