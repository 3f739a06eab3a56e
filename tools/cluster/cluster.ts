// `npm run cluster`: installs the chart on a real Kubernetes, upgrades it under load, kills its pods, and says what callers saw of that.
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { findHelm } from '../chart/helm';
import { Checks } from '../demo/checks';
import { identitiesOf } from '../e2e/world';
import { raw, requestBody, type Controller } from '../e2e/controller';
import { awaitEnds } from '../e2e/follow';
import { buildImage } from '../images/build';
import { docker } from '../images/docker';
import { SteadyCalls, type CallCounts } from './calls';
import { Installation, NAMESPACE } from './installation';
import { Kubernetes } from './kubernetes';
import { Stores } from './stores';

const usage = `npm run cluster -- [--image NAME]
  --image NAME   an image that Docker has already; default: one of the commit that is checked out, built for this
Needs root, Docker, helm, the folder of a cluster's programs in DSR_TEST_CLUSTER and that of the servers in DSR_TEST_SERVERS.`;

const PER_SECOND = 20;
const FIRST_CALLS = 12;
const LIVES = 20;

interface Row {
  readonly step: string;
  readonly seconds: number;
  readonly counts?: CallCounts;
  readonly restarts: number;
}

const checks = new Checks(console.log);
const rows: Row[] = [];

/** Runs a step; says how long it took and how often containers were started again in it. */
async function timed<T>(installation: Installation, step: string, run: () => Promise<T>): Promise<T> {
  checks.step(step);
  const [begunMs, before] = [performance.now(), await installation.restarts()];
  const done = await run();
  const restarts = (await installation.restarts()) - before;
  const counts = isCounts(done) ? done : undefined;
  rows.push({ step, seconds: (performance.now() - begunMs) / 1_000, restarts, ...(counts && { counts }) });
  return done;
}

const isCounts = (done: unknown): done is CallCounts => typeof done === 'object' && done !== null && 'calls' in done;

const person = () => ({ customerId: randomUUID(), email: `${randomUUID()}@example.com`, colour: 'red' });
const create = (controller: Controller) =>
  controller.create(requestBody({ subject_identities: identitiesOf(person()) }));

/** Creates, reads of discovery, and ingested identities in turn. */
const mixed = (controller: Controller) => (n: number) => {
  if (n % 3 === 0) return create(controller);
  if (n % 3 === 1) return controller.call('GET', '/v2/discovery');
  return controller.ingest('/v1/identify', {
    user_identities: { customer_id: `customer-${String(n)}` },
    environment: 'production',
  });
};

/** What calls at a rate are answered while something happens. */
async function during(controller: Controller, happens: () => Promise<unknown>): Promise<CallCounts> {
  const calls = new SteadyCalls(mixed(controller), PER_SECOND);
  try {
    await happens();
  } finally {
    await calls.stop();
  }
  return calls.stop();
}

const noneFailed = ({ calls, failed }: CallCounts): readonly string[] =>
  calls > 0 && Object.keys(failed).length === 0 ? [] : [`of ${String(calls)} calls failed: ${JSON.stringify(failed)}`];

async function proveFirstCalls(installation: Installation, controller: Controller): Promise<void> {
  const counts = await timed(installation, 'The first calls after readiness', async (): Promise<CallCounts> => {
    const calls = new SteadyCalls(
      (n) =>
        n % 2 === 0
          ? controller.ingest('/v1/identify', {
              user_identities: { email: 'first@example.com' },
              environment: 'production',
            })
          : controller.ingest('/v2/events', {
              user_identities: { email: 'first@example.com' },
              environment: 'production',
              events: [{ event_type: 'custom_event', data: { event_name: 'visit' } }],
            }),
      2 * FIRST_CALLS,
    );
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    return calls.stop();
  });
  checks.check('none of the first calls is refused', noneFailed(counts));
}

async function proveLives(installation: Installation, controller: Controller, step: string): Promise<void> {
  const ends = await timed(installation, step, async () => {
    // A second request about the same person would be refused while the first is open.
    const bodies = Array.from({ length: LIVES }, () =>
      requestBody({ subject_identities: [raw('email', `${randomUUID()}@example.com`)] }),
    );
    const created = await Promise.all(bodies.map((body) => controller.create(body)));
    if (created.some(({ status }) => status !== 201)) throw new Error('a create was refused');
    return awaitEnds(
      controller,
      bodies.map(({ subject_request_id: id }) => id),
    );
  });
  checks.check(
    `${String(LIVES)} requests complete`,
    [...ends.values()].filter((end) => end === 'completed').length === LIVES,
  );
}

async function proveUpgrades(installation: Installation, controller: Controller): Promise<void> {
  const upgrades = [
    ['An upgrade that changes values', () => installation.upgrade('defaults.logLevel=debug')],
    ['A rollback', () => installation.rollback()],
  ] as const;
  for (const [step, change] of upgrades) {
    const counts = await timed(installation, `${step}, at ${String(PER_SECOND)} calls a second`, () =>
      during(controller, change),
    );
    checks.check('no call fails', noneFailed(counts));
  }
}

async function proveKills(installation: Installation, controller: Controller): Promise<void> {
  const counts = await timed(installation, 'A pod of each service is killed, one after the other', () =>
    during(controller, async () => {
      for (const app of ['request', 'callback-dispatcher', 'results', 'ingestion', 'gateway']) {
        await installation.killPod(app);
        await installation.allReady();
      }
    }),
  );
  // A killed pod takes its open calls with it, and its address stays in the Service for a moment.
  checks.note(`${String(counts.calls)} calls, failed: ${JSON.stringify(counts.failed)}`);
  checks.check(
    'no call is answered otherwise than 503',
    Object.keys(counts.failed).filter((one) => /^\d/.test(one) && one !== '503'),
  );
  await proveLives(installation, controller, 'Requests after the kills');
}

async function proveDoctor(installation: Installation): Promise<void> {
  const { condition, log } = await timed(installation, 'Doctor as a Job, by the lines of the page', () =>
    installation.doctor('doctor,--trust,/run/secrets/opendsr/trust/ca.crt'),
  );
  checks.check('its Job comes to one word', condition === 'Complete' || condition === 'Failed');
  checks.check('the master key can be read by its pod alone', !log.includes('warn  master key'));
  for (const line of log.split('\n').filter((one) => /^(warn|FAIL)/.test(one))) checks.note(line);
}

/** A node whose CPU is short: every pod gets a tenth of one CPU, with the probes of the default values. */
async function proveShortCpu(installation: Installation, controller: Controller): Promise<void> {
  await timed(installation, 'Every pod gets 150m of CPU: the start', () =>
    installation.upgrade('defaults.resources.limits.cpu=150m'),
  );
  await proveLives(installation, controller, 'The same: requests');
  checks.check(
    'no container is started again',
    rows.slice(-2).every(({ restarts }) => restarts === 0),
  );
}

async function prove(cluster: Kubernetes, stores: Stores, image: string, folder: string): Promise<void> {
  const installation = await Installation.prepare(cluster, stores, image, folder);
  await timed(installation, 'Installed', () => installation.install());
  const controller = await installation.controller();
  await proveFirstCalls(installation, controller);
  await proveLives(installation, controller, 'Requests');
  await proveUpgrades(installation, controller);
  await proveKills(installation, controller);
  await proveDoctor(installation);
  await proveShortCpu(installation, controller);
  checks.step('Uninstalled');
  await installation.uninstall();
  const left = await cluster.kubectl('-n', NAMESPACE, 'get', 'deployment,service,networkpolicy,job', '-o', 'name');
  checks.check(
    'nothing of the release is left but Jobs of the operator',
    left.split('\n').filter((one) => one !== '' && !one.includes('operator')),
  );
}

async function run(): Promise<number> {
  const { image: named } = parseArgs({ options: { image: { type: 'string' }, help: { type: 'boolean' } } }).values;
  const { DSR_TEST_CLUSTER: programs, DSR_TEST_SERVERS: servers } = process.env;
  const helm = findHelm(process.env);
  if (!programs || !servers || !helm || process.getuid?.() !== 0) {
    console.error(usage);
    return 2;
  }
  const image = named ?? 'opendsr-service:cluster';
  if (named === undefined) await buildImage({ tag: image, local: true });
  const folder = await mkdtemp(join(tmpdir(), 'opendsr-cluster-run-'));
  const cluster = await Kubernetes.start(programs, helm);
  let stores: Stores | undefined;
  try {
    stores = await Stores.start(servers, cluster.hostIp);
    const archive = join(folder, 'image.tar');
    await docker('save', image, '--output', archive);
    await cluster.loadImage(archive);
    await prove(cluster, stores, image, folder);
  } finally {
    await cluster.stop();
    await stores?.stop();
    await rm(folder, { recursive: true, force: true });
  }
  console.table(
    rows.map(({ step, seconds, counts, restarts }) => ({
      step,
      seconds: Math.round(seconds),
      calls: counts?.calls,
      failed: counts && JSON.stringify(counts.failed),
      restarts,
    })),
  );
  return checks.end();
}

process.exitCode = await run();
