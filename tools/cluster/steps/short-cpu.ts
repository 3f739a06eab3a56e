import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Installation } from '../installation';
import type { Proof } from '../proof';
import { proveRequests } from './requests';

const PERIOD_US = 100_000;
/** What a CPU request is counted in. */
const MILLI = 1_000;

/** A node with a third of the CPU that its pods ask for: slow, and no pod is started again. */
export async function proveStarvedNode(proof: Proof, installation: Installation): Promise<void> {
  const asked = await installation.cpuRequested();
  const third = Math.round(asked / 3);
  const quota = async (us: number): Promise<void> => {
    for (const file of await quotaFiles()) await writeFile(file, String(us));
  };
  await quota(Math.round((third / MILLI) * PERIOD_US));
  try {
    await proof.step(
      `All pods together have ${String(third)}m of CPU, a third of what they ask for: all start anew`,
      installation,
      () => installation.restartAll(),
    );
    proof.noRestart();
    await proveRequests(proof, installation, 'The same: requests');
    proof.noRestart();
  } finally {
    await quota(-1);
  }
}

/** The limits of all pods of the cluster together, as this machine sees them. */
async function quotaFiles(): Promise<string[]> {
  const root = '/sys/fs/cgroup';
  const found = await readdir(root, { recursive: true, withFileTypes: true }).catch(() => []);
  return found
    .filter(({ name, parentPath }) => name === 'cpu.cfs_quota_us' && /\/kubeone-\d+\/kubepods$/.test(parentPath))
    .map(({ name, parentPath }) => join(parentPath, name));
}
