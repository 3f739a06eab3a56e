import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { findHelm } from '../chart/helm';
import { runToEnd } from '../images/command';
import { run } from './command';
import { print } from './output';
import { failure, nothing, reportedTally, type Tally } from './tally';

const report = join('reports', 'cluster.json');

type Env = Readonly<Record<string, string | undefined>>;

/** What the run on a real Kubernetes lacks here, in words. */
async function missing(env: Env): Promise<string[]> {
  const podman = await runToEnd('podman', ['--version']);
  return [
    ...(process.getuid?.() === 0 ? [] : ['root']),
    ...(podman.code === 0 ? [] : ['Podman']),
    ...(env.DSR_TEST_CLUSTER ? [] : ['DSR_TEST_CLUSTER']),
    ...(env.DSR_TEST_SERVERS ? [] : ['DSR_TEST_SERVERS']),
    ...(findHelm(env) ? [] : ['helm']),
  ];
}

/** The chart on a real Kubernetes, in the short form of `npm run cluster`: a test for each check. */
export async function runCluster(env: Env): Promise<Tally> {
  const lacks = await missing(env);
  if (lacks.length > 0) {
    print(`The chart was not tried on a Kubernetes, which needs ${lacks.join(', ')}.`);
    return env.DSR_REQUIRE_CLUSTER === '1' ? failure('cluster: not run, and DSR_REQUIRE_CLUSTER is set') : nothing;
  }
  await rm(report, { force: true });
  const endedWell = await run('node', ['tools/run.mjs', 'tools/cluster/cluster.ts', '--short', '--report', report]);
  return reportedTally('cluster', endedWell, await readFile(report, 'utf8').catch(() => undefined));
}
