import { posix } from 'node:path';
import type { PodSpec } from 'kubernetes-types/core/v1';
import type { Container } from '../manifest';

/**
 * Whether a secret, or a volume that may be written, is mounted at a path of a container. The keys of a wholly mounted
 * secret are unknown, so any path in it counts.
 */
export function isMounted(path: string, container: Container, { volumes = [] }: PodSpec): boolean {
  const inside = (folder: string) => path === folder || path.startsWith(`${folder}/`);
  const mount = container.volumeMounts?.find(({ mountPath }) => inside(mountPath));
  const volume = volumes.find(({ name }) => name === mount?.name);
  if (!mount || !volume) return false;
  const { secret } = volume;
  if (!secret) return !mount.readOnly && (volume.persistentVolumeClaim ?? volume.emptyDir) !== undefined;
  const within = posix.relative(mount.mountPath, path);
  return within === '' || !secret.items || secret.items.some((item) => item.path === within);
}
