import { createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import type { NetworkPolicy } from 'kubernetes-types/networking/v1';
import { may, type Endpoint } from '../../chart/network/evaluate';
import type { Installation } from '../installation';
import { APPS, NAMESPACE } from '../names';
import type { Proof } from '../proof';
import { IMAGE, registryOf } from '../image';
import { JOB_PODS, withJobPods } from './job-pods';
import { ADMIN_PORT, listening, PUBLIC_PORT } from './listening';

/** A pod that is no part of the release. */
const STRANGER = 'stranger';
const ELSEWHERE = 'default';
/** A refusal by a policy is silence. */
const SILENT_MS = 2_000;

interface Pod {
  readonly metadata: { readonly name: string; readonly namespace: string; readonly labels: Record<string, string> };
  readonly spec: { readonly containers: readonly { readonly ports?: readonly NamedPort[] }[] };
  readonly status: { readonly podIP: string };
}

interface NamedPort {
  readonly name?: string;
  readonly containerPort: number;
}

interface Target {
  readonly to: Endpoint;
  readonly port: number;
}

/** Each pair of pods, and each store, tried from inside the pods, against what the policies of the cluster say. */
export async function proveNetwork(proof: Proof, installation: Installation): Promise<void> {
  const { cluster } = installation;
  // Something that listens on this machine and that no policy names.
  const other = createServer((socket) => socket.destroy()).listen(0, cluster.hostIp);
  await once(other, 'listening');
  await startStranger(installation);
  try {
    const { port } = other.address() as AddressInfo;
    const tryAll = () => tryPairs(proof, installation, port);
    // The short form has no time for them.
    await (proof.short ? tryAll() : withJobPods(installation, tryAll));
  } finally {
    other.close();
    await cluster.kubectl('-n', ELSEWHERE, 'delete', 'pod', STRANGER, '--grace-period=0', '--force');
  }
}

async function tryPairs(proof: Proof, installation: Installation, otherPort: number): Promise<void> {
  const { cluster } = installation;
  const pods = await podsOf(installation);
  const { items } = await cluster.json<{ items: NetworkPolicy[] }>('-n', NAMESPACE, 'get', 'networkpolicy');
  const targets = targetsOf(installation, pods, otherPort);
  const wrong: string[] = [];
  const counts = { open: 0, refused: 0 };
  await proof.step('Every pair of pods and stores is tried from inside the pods', installation, async () => {
    for (const from of pods) {
      const tried = targets.filter(({ to }) => to !== from.endpoint);
      const open = await openFrom(installation, from, tried);
      tried.forEach(({ to, port }, n) => {
        const expected = may(items, from.endpoint, to, { number: port, protocol: 'TCP' });
        counts[open[n] ? 'open' : 'refused']++;
        if (expected !== open[n])
          wrong.push(`${from.endpoint.name} > ${to.name} ${String(port)} is ${open[n] ? 'open' : 'refused'}`);
      });
    }
  });
  proof.checks.note(`${String(counts.open)} connections are let through, ${String(counts.refused)} are not`);
  proof.checks.check('exactly what the policies allow is let through', wrong);
  proof.checks.check('some are allowed and some are refused', counts.open > 0 && counts.refused > counts.open);
}

async function startStranger({ cluster }: Installation): Promise<void> {
  const run = [
    'run',
    STRANGER,
    `--image=${await registryOf()}/${IMAGE}`,
    '--image-pull-policy=Never',
    '--restart=Never',
  ];
  await cluster.kubectl('-n', ELSEWHERE, ...run, '--command', '--', ...listening);
  await cluster.kubectl('-n', ELSEWHERE, 'wait', '--for=condition=Ready', `pod/${STRANGER}`, '--timeout=120s');
}

/** Where connections begin. */
interface Prober {
  readonly pod: string;
  readonly endpoint: Endpoint;
}

/** One pod of each app and of each Job, where there is one, and the stranger. */
async function podsOf({ cluster }: Installation): Promise<Prober[]> {
  const in_ = (namespace: string, ...selector: readonly string[]) =>
    cluster.json<{ items: Pod[] }>(
      '-n',
      namespace,
      'get',
      'pods',
      '--field-selector=status.phase=Running',
      ...selector,
    );
  const components = `${APPS}, ${JOB_PODS.join(', ')}`;
  const ours = await in_(NAMESPACE, '-l', `app.kubernetes.io/component in (${components})`);
  const ofEach = components.split(', ').flatMap((name) => {
    const pod = ours.items.find(({ metadata }) => metadata.labels['app.kubernetes.io/component'] === name);
    return pod ? [proberOf(name, pod)] : [];
  });
  const strangers = await in_(ELSEWHERE, '-l', `run=${STRANGER}`);
  return [...ofEach, ...strangers.items.map((pod) => proberOf(STRANGER, pod))];
}

const proberOf = (name: string, pod: Pod): Prober => ({ pod: pod.metadata.name, endpoint: endpointOf(name, pod) });

const endpointOf = (name: string, { metadata, spec, status }: Pod): Endpoint => ({
  name,
  ip: status.podIP,
  pod: {
    namespace: metadata.namespace,
    namespaceLabels: { 'kubernetes.io/metadata.name': metadata.namespace },
    labels: metadata.labels,
    ports: Object.fromEntries(
      spec.containers.flatMap(({ ports = [] }) =>
        ports.map(({ name: port = '', containerPort }) => [port, containerPort]),
      ),
    ),
  },
});

/** Where something listens. */
function targetsOf({ stores, cluster }: Installation, pods: readonly Prober[], otherPort: number): Target[] {
  const serving = new Set(['gateway', 'ingestion', STRANGER, ...JOB_PODS]);
  const host = (name: string): Endpoint => ({ name, ip: cluster.hostIp });
  return [
    ...pods.flatMap(({ endpoint: to }) => [
      { to, port: ADMIN_PORT },
      ...(serving.has(to.name) ? [{ to, port: PUBLIC_PORT }] : []),
    ]),
    ...stores.brokers.map((broker) => ({ to: host('Kafka'), port: Number(broker.split(':')[1]) })),
    ...stores.mongodbPorts.map((port) => ({ to: host('MongoDB'), port })),
    { to: host('another program of this machine'), port: otherPort },
  ];
}

/** Which of these a pod connects to. */
async function openFrom(
  installation: Installation,
  { pod, endpoint }: Prober,
  targets: readonly Target[],
): Promise<boolean[]> {
  const script = `
const { connect } = await import('node:net');
const opens = ([host, port]) => new Promise((resolve) => {
  const socket = connect({ host, port, timeout: ${String(SILENT_MS)} });
  const end = (open) => () => { socket.destroy(); resolve(open); };
  socket.on('connect', end(true)).on('error', end(false)).on('timeout', end(false));
});
console.log(JSON.stringify(await Promise.all(${JSON.stringify(targets.map(({ to, port }) => [to.ip, port]))}.map(opens))));`;
  return JSON.parse(await installation.inPod(pod, script, endpoint.pod?.namespace)) as boolean[];
}
