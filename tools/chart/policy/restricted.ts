import { containersOf, workloads, type Container, type Workload } from '../manifest';
import type { Rule } from './rule';

/** The sources of volumes that the restricted pod standard knows. */
const VOLUMES: readonly string[] = [
  'configMap',
  'csi',
  'downwardAPI',
  'emptyDir',
  'ephemeral',
  'persistentVolumeClaim',
  'projected',
  'secret',
];
const SECCOMP: readonly unknown[] = ['RuntimeDefault', 'Localhost'];

type Claim = readonly [holds: boolean, what: string];

const broken = (name: string, claims: readonly Claim[]): string[] =>
  claims.filter(([holds]) => !holds).map(([, what]) => `${name}: ${what}`);

function podFaults({ name, pod }: Workload): string[] {
  const context = pod.securityContext ?? {};
  return broken(name, [
    [context.runAsNonRoot === true, 'runAsNonRoot must be true'],
    [context.runAsUser !== 0, 'runAsUser must not be 0'],
    [SECCOMP.includes(context.seccompProfile?.type), 'seccompProfile must be RuntimeDefault'],
    [!pod.hostNetwork && !pod.hostPID && !pod.hostIPC, 'must not share namespaces with the host'],
    [(context.sysctls ?? []).length === 0, 'must not set sysctls'],
    [
      (pod.volumes ?? []).every((volume) =>
        Object.keys(volume).every((key) => key === 'name' || VOLUMES.includes(key)),
      ),
      'has a volume of a kind that the restricted standard does not know',
    ],
  ]);
}

const capabilityClaims = ({ capabilities }: NonNullable<Container['securityContext']>): Claim[] => [
  [capabilities?.drop?.includes('ALL') === true, 'must drop ALL capabilities'],
  [(capabilities?.add ?? []).length === 0, 'must add no capability'],
];

/** What a container may say again, but not otherwise than its pod does. */
const overrideClaims = ({
  runAsNonRoot = true,
  runAsUser,
  seccompProfile,
}: NonNullable<Container['securityContext']>): Claim[] => [
  [runAsNonRoot, 'runAsNonRoot must not be false'],
  [runAsUser !== 0, 'runAsUser must not be 0'],
  [seccompProfile === undefined || SECCOMP.includes(seccompProfile.type), 'seccompProfile must be RuntimeDefault'],
];

function containerFaults(owner: string, container: Container): string[] {
  const context = container.securityContext ?? {};
  return broken(`${owner}, container ${container.name}`, [
    [context.allowPrivilegeEscalation === false, 'allowPrivilegeEscalation must be false'],
    [context.privileged !== true, 'must not be privileged'],
    [context.readOnlyRootFilesystem === true, 'readOnlyRootFilesystem must be true'],
    [context.procMount === undefined || context.procMount === 'Default', 'procMount must be Default'],
    [(container.ports ?? []).every(({ hostPort }) => hostPort === undefined), 'must not take a port of the host'],
    ...capabilityClaims(context),
    ...overrideClaims(context),
  ]);
}

/** The `restricted` pod standard of Kubernetes, and a read-only root file system. */
export const restricted: Rule = (objects) =>
  workloads(objects).flatMap((workload) => [
    ...podFaults(workload),
    ...containersOf(workload.pod).flatMap((container) => containerFaults(workload.name, container)),
  ]);
