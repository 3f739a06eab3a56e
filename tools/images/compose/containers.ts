import { readFile } from 'node:fs/promises';
import { engine } from '../engine';
import { factsOf, type ProcessFacts } from '../process-facts';

/** What a check wants to know of a container of a project. */
export interface ComposeContainer {
  readonly id: string;
  readonly service: string;
  /** Whether the image is ours. */
  readonly ours: boolean;
  /** `well`: healthy, or ended with 0 where it runs once. */
  readonly state: 'well' | 'coming' | 'failed';
  /** Its process on this machine; 0: it runs no more. */
  readonly pid: number;
  readonly readOnly: boolean;
  /** Where something of outside is mounted. */
  readonly mounts: readonly string[];
  /** What of it can be written and is no volume. */
  readonly writable: readonly string[];
}

interface Inspected {
  readonly Id: string;
  readonly State: {
    readonly Pid: number;
    readonly ExitCode: number;
    readonly Status: string;
    readonly Health?: { readonly Status: string };
  };
  readonly Config: { readonly Labels: Readonly<Record<string, string>> };
  readonly HostConfig: { readonly ReadonlyRootfs: boolean };
  readonly Mounts: readonly { readonly Type: string; readonly RW: boolean; readonly Destination: string }[];
}

/** All containers of a compose project, those that have ended among them. */
export async function containersOf(project: string): Promise<ComposeContainer[]> {
  const ids = await engine('ps', '--all', '--quiet', '--filter', `label=com.docker.compose.project=${project}`);
  return ids === '' ? [] : (JSON.parse(await engine('inspect', ...ids.split('\n'))) as Inspected[]).map(containerOf);
}

const containerOf = ({ Id, State, Config, HostConfig, Mounts }: Inspected): ComposeContainer => ({
  id: Id,
  service: Config.Labels['com.docker.compose.service'] ?? '',
  ours: Config.Labels['org.opencontainers.image.title'] === 'OpenDSR service',
  state: stateOf(State),
  pid: State.Pid,
  readOnly: HostConfig.ReadonlyRootfs,
  mounts: Mounts.map(({ Destination }) => Destination),
  writable: Mounts.filter(({ Type, RW }) => RW && Type !== 'volume').map(({ Destination }) => Destination),
});

function stateOf({ ExitCode, Status, Health }: Inspected['State']): ComposeContainer['state'] {
  if (Status === 'exited') return ExitCode === 0 ? 'well' : 'failed';
  return Status === 'running' && Health?.Status === 'healthy' ? 'well' : 'coming';
}

/** What the kernel says of the process of a container that runs. */
export const processOf = async ({ pid }: ComposeContainer): Promise<ProcessFacts> =>
  factsOf(await readFile(`/proc/${String(pid)}/status`, 'utf8'));

/** The faults of a container: unneeded rights and, for our images, writes outside its volumes. */
export async function faultsOf(container: ComposeContainer): Promise<string[]> {
  const faults = [...(await faultsOfProcess(container)), ...(container.ours ? await faultsOfRoot(container) : [])];
  return faults.map((fault) => `${container.service} ${fault}`);
}

async function faultsOfProcess(container: ComposeContainer): Promise<string[]> {
  if (container.pid === 0) return [];
  const { user, capabilities, mayGainRights } = await processOf(container);
  return [
    ...(user === '0' || (container.ours && user !== '65532') ? [`runs as user ${user}`] : []),
    ...(capabilities === 0n ? [] : ['has capabilities']),
    ...(mayGainRights ? ['may gain rights'] : []),
  ];
}

async function faultsOfRoot({ id, readOnly, mounts, writable }: ComposeContainer): Promise<string[]> {
  const changed = (await engine('diff', id))
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.slice(2));
  // Docker itself makes the folders that something is mounted at.
  const written = changed.filter((path) => !mounts.some((mount) => `${mount}/`.startsWith(`${path}/`)));
  return [
    ...(readOnly ? [] : ['can write its root']),
    ...writable.map((path) => `can write ${path}, which is no volume`),
    ...written.map((path) => `wrote ${path}`),
  ];
}
