import { readdir, readFile } from 'node:fs/promises';
import { until } from '../../receiver/until';
import type { Installation } from '../installation';
import { restartsSince, type Proof } from '../proof';
import { underLoad } from './under-load';

const APPS = ['request', 'callback-dispatcher', 'results', 'ingestion', 'gateway'] as const;
/** Liveness gives a process 3 minutes, and the kubelet some time beside. */
const KUBELET_MS = 420_000;

/** A pod of each service is killed without grace, as the loss of its node would. */
export async function proveKilledPods(proof: Proof, installation: Installation): Promise<void> {
  await underLoad(proof, installation, {
    title: 'A pod of each service is killed (`--grace-period=0`), one after the other',
    allowed: 'broken',
    happens: async () => {
      for (const app of APPS) {
        const [pod = ''] = await installation.podsOf(app);
        await installation.kubectl('delete', 'pod', pod, '--grace-period=0', '--force');
        await installation.allReady();
      }
    },
  });
}

/** A process that allocates beyond the limit of its container is killed by the kernel, and started again by the kubelet. */
export async function proveOutOfMemory(proof: Proof, installation: Installation): Promise<void> {
  const [pod = ''] = await installation.podsOf('request');
  await underLoad(proof, installation, {
    title: 'A pod exceeds its memory',
    allowed: 'broken',
    happens: async () => {
      await installation.inPod(pod, allocateInMain).catch(() => undefined);
      await until(
        'the container to be killed for its memory',
        async () => {
          const reason = await installation.lastEnd(pod);
          return reason === 'OOMKilled';
        },
        KUBELET_MS,
      );
      await installation.allReady();
    },
  });
  proof.checks.check('the kubelet says why', (await installation.lastEnd(pod)) === 'OOMKilled');
}

/** Opens the inspector of the first process, and lets it allocate as a leak would. */
const allocateInMain = `
process.kill(1, 'SIGUSR1');
const targets = async () => {
  for (;;) {
    const list = await fetch('http://127.0.0.1:9229/json/list').then((answer) => answer.json(), () => undefined);
    if (list) return list;
  }
};
const socket = new WebSocket((await targets())[0].webSocketDebuggerUrl);
await new Promise((resolve) => socket.addEventListener('open', resolve));
const expression = 'globalThis.leak = []; setInterval(() => leak.push(Buffer.alloc(64 << 20, 1)), 10)';
socket.send(JSON.stringify({ id: 1, method: 'Runtime.evaluate', params: { expression } }));
await new Promise((resolve) => socket.addEventListener('close', resolve));
`;

/** A process that answers nothing is beyond help: liveness ends it, and its work goes on elsewhere meanwhile. */
export async function proveFrozenProcess(proof: Proof, installation: Installation): Promise<void> {
  const [pod = ''] = await installation.podsOf('callback-dispatcher');
  await underLoad(proof, installation, {
    title: 'The kubelet kills a process that answers nothing',
    allowed: 'none',
    happens: async () => {
      const before = await installation.restarts();
      process.kill(await hostPidOf(await installation.podUid(pod)), 'SIGSTOP');
      await until(
        'the kubelet to kill it',
        async () => restartsSince(before, await installation.restarts()) > 0,
        KUBELET_MS,
      );
      await installation.allReady();
    },
  });
}

/** The process of a pod as this machine sees it. */
async function hostPidOf(podUid: string): Promise<number> {
  for (const entry of await readdir('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    const [groups, command] = await Promise.all(
      ['cgroup', 'cmdline'].map((file) => readFile(`/proc/${entry}/${file}`, 'utf8').catch(() => '')),
    );
    if (groups?.includes(podUid) === true && command?.includes('opendsr.mjs') === true) return Number(entry);
  }
  throw new Error('the process of the pod is not seen from this machine');
}

/** `kubectl drain` evicts what its budget lets go, and no more. */
export async function proveDrain(proof: Proof, installation: Installation): Promise<void> {
  const { cluster } = installation;
  const node = await cluster.kubectl('get', 'nodes', '-o', 'jsonpath={.items[0].metadata.name}');
  let said = '';
  await underLoad(proof, installation, {
    title: '`kubectl drain` of the only node',
    happens: async () => {
      const drained = ['drain', node, '--ignore-daemonsets', '--delete-emptydir-data', '--force'];
      const ours = ['--pod-selector', installation.label, '--timeout=30s'];
      said = await cluster.kubectl(...drained, ...ours).catch((error: unknown) => String(error));
      await cluster.kubectl('uncordon', node);
      await installation.allReady();
    },
  });
  proof.checks.check('evictions beyond the budget are refused', said.includes("violate the pod's disruption budget"));
  proof.noRestart();
}
