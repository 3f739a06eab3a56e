import { setTimeout as sleep } from 'node:timers/promises';
import type { Installation } from '../installation';
import { APPS, SERVICE } from '../names';
import type { Proof } from '../proof';
import { proveRequests } from './requests';

/** What the pods of the default values ask for, in thousandths of a CPU: 1,800 together. */
const askedBy = (app: string): number => (app === 'gateway' ? 500 : 100);
/** How long pods with the former probes are watched. */
const WATCHED_MS = 240_000;
const KINDS = ['liveness', 'startup'] as const;

type Probes = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** Those of the chart before 2026-11: liveness ends a process after half a minute, start-up after three. */
const formerProbes: Probes = {
  livenessProbe: { periodSeconds: 10, timeoutSeconds: 5, failureThreshold: 3 },
  startupProbe: { periodSeconds: 2, timeoutSeconds: 2, failureThreshold: 90 },
  readinessProbe: { periodSeconds: 5, timeoutSeconds: 3, failureThreshold: 2 },
};

interface Deployed {
  readonly spec: { readonly template: { readonly spec: { readonly containers: readonly [Probes] } } };
}

interface Event {
  readonly reason: string;
  readonly message: string;
  readonly count?: number;
}

/**
 * A node whose CPU is short, where all pods start at once. On an eighth of what they ask for, the former probes kill them
 * and those of today do not; on a third they work.
 */
export async function proveCalmInStorm(proof: Proof, installation: Installation): Promise<void> {
  const apps = APPS.split(', ');
  const ours = await Promise.all(apps.map((app) => probesOf(installation, app)));
  const startAll = async (part: number, probes: (n: number) => Probes): Promise<void> => {
    for (const [n, app] of apps.entries()) await replace(installation, app, part, probes(n));
  };
  const kills = await killsOf(installation);
  await proof.step(
    'All pods start on an eighth of the CPU that they ask for, former probes',
    installation,
    async () => {
      await startAll(8, () => formerProbes);
      await sleep(WATCHED_MS);
    },
  );
  const formerKills = await killsOf(installation);
  proof.checks.note(`killed in that time: ${difference(kills, formerKills)}`);
  await proof.step('The same, probes of today: until all are ready', installation, async () => {
    await startAll(8, (n) => ours[n] ?? {});
    await installation.allReady();
  });
  proof.noRestart();
  proof.checks.note(`killed in that time: ${difference(formerKills, await killsOf(installation))}`);
  await proof.step('All pods start on a third of the CPU that they ask for', installation, async () => {
    await startAll(3, (n) => ours[n] ?? {});
    await installation.allReady();
  });
  proof.noRestart();
  await proveRequests(proof, installation, 'The same: requests');
  proof.noRestart();
  // Takes back what was changed past helm.
  await installation.upgrade();
}

async function probesOf(installation: Installation, app: string): Promise<Probes> {
  const name = `deployment/${SERVICE}-${app}`;
  const { spec } = JSON.parse(await installation.kubectl('get', name, '-o', 'json')) as Deployed;
  const [container] = spec.template.spec.containers;
  return Object.fromEntries(Object.keys(formerProbes).map((probe) => [probe, container[probe] ?? {}]));
}

/** Replaces all pods of an app at once, by some with a part of the CPU that they ask for. */
async function replace(installation: Installation, app: string, part: number, probes: Probes): Promise<void> {
  const cpu = `${String(Math.floor(askedBy(app) / part))}m`;
  const container = { name: app, resources: { requests: { cpu }, limits: { cpu } }, ...probes };
  const patch = {
    spec: {
      strategy: { type: 'Recreate', rollingUpdate: null },
      template: { spec: { containers: [container] } },
    },
  };
  await installation.kubectl('patch', 'deployment', `${SERVICE}-${app}`, '-p', JSON.stringify(patch));
}

type Kills = Readonly<Record<(typeof KINDS)[number], number>>;

/** How often the kubelet has killed a container, by kind of the probe that failed. */
async function killsOf(installation: Installation): Promise<Kills> {
  const { items } = JSON.parse(await installation.kubectl('get', 'events', '-o', 'json')) as { items: Event[] };
  const of = (kind: string): number =>
    items
      .filter(({ reason, message }) => reason === 'Killing' && message.includes(`failed ${kind} probe`))
      .reduce((sum, { count = 1 }) => sum + count, 0);
  return { liveness: of('liveness'), startup: of('startup') };
}

const difference = (before: Kills, after: Kills): string =>
  KINDS.map((kind) => `${String(after[kind] - before[kind])} by ${kind}`).join(', ');
