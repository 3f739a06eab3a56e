import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { goldenObjects, GOLDENS, goldenText, type Golden } from '../chart/goldens';
import { customResources } from '../chart/schema/published';
import type { Kubernetes } from './kubernetes';

const WITHIN = '60s';

/** Shows that the server does look at fields. */
const planted = {
  apiVersion: 'keda.sh/v1alpha1',
  kind: 'ScaledObject',
  metadata: { name: 'planted' },
  spec: { scaleTargetRef: { name: 'planted' }, triggers: [], planted: true },
};

/**
 * `create` and not `apply`, which refuses the operator's Job, as that gets its name from the server. A warning is a
 * fault: so the server says that pods break the restricted standard, and that an API is to go.
 */
async function faultsOf(cluster: Kubernetes, namespace: string, file: string): Promise<readonly string[]> {
  try {
    await cluster.kubectl(
      ...['-n', namespace, 'create', '-f', file, '--dry-run=server', '--validate=strict', '--warnings-as-errors'],
    );
    return [];
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
}

/** Makes the API server know the custom resources that the chart renders; what acts on them is not there. */
async function defineCustomResources(cluster: Kubernetes, folder: string): Promise<void> {
  const file = join(folder, 'custom.yaml');
  const definitions = customResources().map((definition) => stringify({ ...definition, module: undefined }));
  await writeFile(file, definitions.join('---\n'));
  await cluster.kubectl('apply', '--server-side', '--validate=strict', '-f', file);
  await cluster.kubectl('wait', '--for=condition=Established', '-f', file, `--timeout=${WITHIN}`);
}

/** The namespace that the kept renders are of; it must not exist yet. */
async function withNamespace<T>(cluster: Kubernetes, run: (namespace: string) => Promise<T>): Promise<T> {
  const namespace = goldenObjects('minimal')[0]?.metadata.namespace ?? '';
  await cluster.kubectl('create', 'namespace', namespace);
  try {
    await cluster.kubectl('label', 'namespace', namespace, 'pod-security.kubernetes.io/warn=restricted');
    return await run(namespace);
  } finally {
    await cluster.kubectl('delete', 'namespace', namespace, '--wait=false');
  }
}

/** A pod is only taken where its service account is: those are made for so long, after they were tried. */
async function goldenFaults(
  { cluster, namespace, folder }: { cluster: Kubernetes; namespace: string; folder: string },
  golden: Golden,
): Promise<readonly string[]> {
  const objects = goldenObjects(golden);
  const isAccount = ({ kind }: { kind: string }): boolean => kind === 'ServiceAccount';
  const write = async (name: string, wanted: typeof objects): Promise<string> => {
    const file = join(folder, `${golden}-${name}.yaml`);
    await writeFile(file, wanted.map((object) => stringify(object)).join('---\n'));
    return file;
  };
  const accounts = await write('accounts', objects.filter(isAccount));
  const others = await write(
    'others',
    objects.filter((object) => !isAccount(object)),
  );
  const faults = await faultsOf(cluster, namespace, accounts);
  await cluster.kubectl('-n', namespace, 'create', '-f', accounts);
  try {
    return [...faults, ...(await faultsOf(cluster, namespace, others))];
  } finally {
    await cluster.kubectl('-n', namespace, 'delete', '-f', accounts);
  }
}

/** Pods name these classes, without which they are refused. */
async function makeClasses(cluster: Kubernetes, folder: string): Promise<void> {
  const text = GOLDENS.map((golden) => goldenText(golden)).join('\n');
  const named = (field: string): string[] => [
    ...new Set([...text.matchAll(new RegExp(`^ *${field}: (\\S+)$`, 'gm'))].map(([, name = '']) => name)),
  ];
  const metadata = (name: string) => ({ metadata: { name } });
  const classes = [
    ...named('priorityClassName').map((name) => ({
      ...{ apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass', value: 1 },
      ...metadata(name),
    })),
    ...named('runtimeClassName').map((name) => ({
      ...{ apiVersion: 'node.k8s.io/v1', kind: 'RuntimeClass', handler: 'runc' },
      ...metadata(name),
    })),
  ];
  const file = join(folder, 'classes.yaml');
  await writeFile(file, classes.map((one) => stringify(one)).join('---\n'));
  await cluster.kubectl('create', '-f', file);
}

/** What the API server refuses of every kept render of the chart, field by field; nothing of them is created. */
export async function dryRunFaults(cluster: Kubernetes): Promise<readonly string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'opendsr-dry-run-'));
  try {
    await defineCustomResources(cluster, folder);
    await makeClasses(cluster, folder);
    return await withNamespace(cluster, async (namespace) => {
      const faults: string[] = [];
      for (const golden of GOLDENS)
        for (const fault of await goldenFaults({ cluster, namespace, folder }, golden))
          faults.push(`${golden}: ${fault}`);
      const wrong = join(folder, 'planted.yaml');
      await writeFile(wrong, stringify(planted));
      const refused = (await faultsOf(cluster, namespace, wrong)).some((one) => one.includes('unknown field'));
      return refused ? faults : [...faults, 'an unknown field is not refused'];
    });
  } finally {
    await rm(folder, { recursive: true });
  }
}
