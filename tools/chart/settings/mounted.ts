import { posix } from 'node:path';
import type { IPodSpec } from 'kubernetes-models/v1/PodSpec';
import type { Container } from '../manifest';

/**
 * Whether something of the pod's secrets lies at a path of a container. Of a secret that is mounted whole nobody here
 * knows the keys, so all are taken to be there.
 */
export function isMounted(path: string, container: Container, { volumes = [] }: IPodSpec): boolean {
  const inside = (folder: string) => path === folder || path.startsWith(`${folder}/`);
  const mount = container.volumeMounts?.find(({ mountPath }) => inside(mountPath));
  const secret = volumes.find(({ name }) => name === mount?.name)?.secret;
  if (!mount || !secret) return false;
  const within = posix.relative(mount.mountPath, path);
  return within === '' || !secret.items || secret.items.some((item) => item.path === within);
}
