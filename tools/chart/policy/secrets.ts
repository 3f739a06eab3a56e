import { containersOf, nameOf, ofKind, workloads, type Container, type Manifest } from '../manifest';
import type { Rule } from './rule';

/** The chart renders no secret: every reader of the release could read it. */
export const noSecretObjects: Rule = (objects) =>
  objects
    .filter(({ kind }) => ['Secret', 'SealedSecret'].includes(kind))
    .map((object) => `${nameOf(object)}: the chart makes no secrets`);

/** Our pods do not use the API of the cluster. */
export const noServiceAccountToken: Rule = (objects) => [
  ...ofKind(objects, 'ServiceAccount')
    .filter(({ automountServiceAccountToken: mounts }) => mounts !== false)
    .map((account) => `${nameOf(account)}: automountServiceAccountToken must be false`),
  ...workloads(objects).flatMap(({ name, pod }) => [
    ...(pod.automountServiceAccountToken === false ? [] : [`${name}: automountServiceAccountToken must be false`]),
    ...(pod.enableServiceLinks === false ? [] : [`${name}: enableServiceLinks must be false`]),
    ...((pod.volumes ?? []).some(({ projected }) =>
      projected?.sources?.some(({ serviceAccountToken }) => serviceAccountToken !== undefined),
    )
      ? [`${name}: must not mount a token of a service account`]
      : []),
  ]),
];

const SECRET_NAMES = /SECRET|PASSWORD|TOKEN|CREDENTIAL|PRIVATE|MASTER_KEY|SIGNING_KEY|MONGODB_URI/;
const SECRET_TEXT = /-----BEGIN [A-Z ]*PRIVATE KEY|:\/\/[^\s/@:]+:[^\s/@]+@/;

function spoken({ env = [], envFrom = [], args = [], command = [] }: Container): string[] {
  return [
    ...env
      .filter(({ name, value }) => SECRET_NAMES.test(name) && !/_FILE(_V\d)?$/.test(name) && value)
      .map(({ name }) => `${name} must come from a file`),
    ...env
      .filter(({ valueFrom }) => valueFrom?.secretKeyRef)
      .map(({ name }) => `${name} must come from a file, not from a secret as a variable`),
    ...(envFrom.length > 0 ? ['must name each variable, not take those of an object'] : []),
    ...([...args, ...command].some((word) => SECRET_TEXT.test(word))
      ? ['must have no secret among its arguments']
      : []),
  ];
}

/** Texts of an object that hold what only a secret may. */
const holdsSecret = (object: Manifest): boolean => SECRET_TEXT.test(JSON.stringify(object));

/** Secrets come in as files: a variable is seen by every child process, in crash reports and in `describe`. */
export const noLiteralSecrets: Rule = (objects) => [
  ...workloads(objects).flatMap(({ name, pod }) =>
    containersOf(pod).flatMap((container) =>
      spoken(container).map((what) => `${name}, container ${container.name}: ${what}`),
    ),
  ),
  ...objects.filter(holdsSecret).map((object) => `${nameOf(object)}: holds a password or a private key`),
];

/** A file mounted by `subPath` never changes, so that a new certificate would wait for a restart. */
export const secretsFollow: Rule = (objects) =>
  workloads(objects).flatMap(({ name, pod }) => {
    const secrets = (pod.volumes ?? [])
      .filter(({ secret, projected }) => secret ?? projected)
      .map((volume) => volume.name);
    return containersOf(pod).flatMap(({ volumeMounts = [] }) =>
      volumeMounts
        .filter((mount) => secrets.includes(mount.name))
        .flatMap(({ name: volume, subPath, readOnly }) => [
          ...(subPath === undefined ? [] : [`${name}: the secret ${volume} must be mounted whole, without subPath`]),
          ...(readOnly ? [] : [`${name}: the secret ${volume} must be mounted to be read only`]),
        ]),
    );
  });
