import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { chartFolder } from '../../chart/helm';
import { Forwarder } from '../forwarder';
import { imageValues } from '../image';
import type { Installed } from '../installation';
import { CHART, NAMESPACE, RELEASE, SERVICE, trialDomains } from '../names';
import { filledIn, linesAfter } from '../page';
import type { Proof } from '../proof';
import { reachableFromHere } from '../values';
import { proveConformance, proveDemo, type Reached } from './trial';

const POD = `statefulset/${SERVICE}-standalone`;

/** The standalone form of the chart, by the lines of the page: installed, tested, and used as a controller would. */
export async function proveOnePod(proof: Proof, { cluster, parent }: Installed): Promise<void> {
  const folder = join(parent, 'one-pod');
  await mkdir(folder);
  // The page makes it.
  await cluster.kubectl('delete', 'namespace', NAMESPACE, '--ignore-not-found', '--timeout=300s');
  const gateway = await Forwarder.start();
  const values = {
    image: await imageValues(),
    gateway: { baseUrlV2: gateway.url, baseUrlV1: gateway.url },
    ...reachableFromHere(cluster.hostIp),
  };
  await writeFile(join(folder, 'values.yaml'), stringify(values));
  const lines = filledIn(await linesAfter('## One pod'), {
    [CHART]: `'${chartFolder()}'`,
    'standalone-values.yaml --wait': 'standalone-values.yaml -f values.yaml --wait --timeout 600s',
    // Callers reach the Service itself.
    'kubectl -n opendsr port-forward': 'true',
  });
  try {
    const said = await proof.step('One pod, installed and tested by the lines of the page', undefined, () =>
      cluster.shell(lines, folder),
    );
    proof.checks.check('`helm test` succeeds', /Phase: +Succeeded/.test(said));
    gateway.leadTo(await cluster.serviceIp(NAMESPACE, `${SERVICE}-standalone`), 8080);
    const reached = await reachedAt(gateway.url, cluster, join(folder, 'trial'));
    await proveDemo(proof, reached);
    await proveConformance(proof, reached);
  } finally {
    await cluster.helm('uninstall', RELEASE, '-n', NAMESPACE, '--wait', '--ignore-not-found');
    gateway.close();
  }
}

async function reachedAt(url: string, cluster: Installed['cluster'], dataDir: string): Promise<Reached> {
  const credentials = JSON.parse(await readFile(join(dataDir, 'sandbox-credentials.json'), 'utf8')) as {
    readonly key: string;
    readonly secret: string;
  };
  return {
    name: 'one pod',
    url,
    ingestUrl: url,
    dataDir,
    hostIp: cluster.hostIp,
    domains: [trialDomains.v2, trialDomains.v1],
    ...credentials,
    other: await cluster.workspace(NAMESPACE, POD, 'other'),
  };
}
