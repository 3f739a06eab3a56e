import { containersOf, nameOf, ofKind, workloads, type Manifest, type Workload } from '../manifest';
import { twice } from './containers';
import type { Rule } from './rule';
import { selects, type Selector } from './selects';

/** A name is taken once in a namespace, and `helm` would put one object over the other. */
export const namesOnce: Rule = (objects) => twice(objects.map(nameOf)).map((name) => `${name}: is rendered twice`);

/** All kinds that the chart renders live in a namespace; without it tools that do not ask helm put them into another. */
export const namespaced: Rule = (objects) =>
  objects.filter(({ metadata }) => !metadata.namespace).map((object) => `${nameOf(object)}: must name its namespace`);

const isHook = (key: string): boolean => /^(helm\.sh|argocd\.argoproj\.io)\/hook/.test(key);
const GONE = ['before-hook-creation', 'hook-succeeded'];

/**
 * A hook is no part of the release: it is not upgraded, not removed, and other tools run it at another time or never.
 * So only `helm test` may have some, which go when they succeeded and are made again otherwise.
 */
export const hooksOfTests: Rule = (objects) =>
  objects.flatMap((object) => {
    const annotations = object.metadata.annotations ?? {};
    if (!Object.keys(annotations).some(isHook)) return [];
    if (annotations['helm.sh/hook'] !== 'test') return [`${nameOf(object)}: must not be a hook, unless of helm test`];
    const gone = annotations['helm.sh/hook-delete-policy']?.split(',') ?? [];
    return GONE.filter((policy) => !gone.includes(policy)).map(
      (policy) => `${nameOf(object)}: must be deleted by ${policy}`,
    );
  });

/** `helm test` runs what is a hook in the order of weights: what opens the network for its pod comes first. */
export const testsOrdered: Rule = (objects) => {
  const hooks = objects.filter(({ metadata }) => metadata.annotations?.['helm.sh/hook'] === 'test');
  const weight = ({ metadata }: Manifest): number => Number(metadata.annotations?.['helm.sh/hook-weight'] ?? 0);
  const firstPod = Math.min(...hooks.filter(({ kind }) => kind === 'Pod').map(weight));
  return hooks
    .filter((object) => object.kind !== 'Pod' && weight(object) >= firstPod)
    .map((object) => `${nameOf(object)}: must be made before the pods of the test`);
};

const RECOMMENDED = [
  'app.kubernetes.io/name',
  'app.kubernetes.io/instance',
  'app.kubernetes.io/version',
  'app.kubernetes.io/managed-by',
  'helm.sh/chart',
];

export const labelled: Rule = (objects) =>
  objects.flatMap((object) =>
    RECOMMENDED.filter((label) => !object.metadata.labels?.[label]).map(
      (label) => `${nameOf(object)}: must have the label ${label}`,
    ),
  );

const selectorOf = (object: Manifest): Selector =>
  (object as Manifest & { readonly spec: { readonly selector?: Selector } }).spec.selector ?? {};

/** A Deployment or StatefulSet selects only its own pods. A selector cannot change, so it contains neither version nor chart. */
export const ownPods: Rule = (objects) => {
  const all = workloads(objects);
  return all
    .filter(({ object }) => ['Deployment', 'StatefulSet'].includes(object.kind))
    .flatMap((workload) => ownPodsFaults(workload, all));
};

function ownPodsFaults(workload: Workload, all: readonly Workload[]): string[] {
  const selector = selectorOf(workload.object);
  const others = all.filter((other) => other !== workload && selects(selector, other.labels));
  return [
    ...(selects(selector, workload.labels) ? [] : [`${workload.name}: its selector does not take its own pods`]),
    ...others.map(({ name }) => `${workload.name}: its selector takes the pods of ${name}`),
    ...Object.keys(selector.matchLabels ?? {})
      .filter((key) => /version|chart/.test(key))
      .map((key) => `${workload.name}: its selector must not name ${key}, which changes`),
  ];
}

/** A Service leads to the pods of one Deployment, and to ports that they have. */
export const servicesLead: Rule = (objects) =>
  ofKind(objects, 'Service').flatMap((service) => {
    const pods = workloads(objects).filter(({ labels }) => selects({ matchLabels: service.spec?.selector }, labels));
    if (pods.length !== 1) return [`${nameOf(service)}: must take the pods of one workload, not of ${pods.length}`];
    const ports = pods.flatMap(({ pod }) =>
      pod.containers.flatMap((container) =>
        (container.ports ?? []).flatMap(({ name, containerPort }) => [name, containerPort]),
      ),
    );
    return (service.spec?.ports ?? [])
      .filter(({ port, targetPort }) => !ports.includes(targetPort ?? port))
      .map(({ port }) => `${nameOf(service)}: its port ${port} leads to none of its pods`);
  });

/** An unused volume, or a mount of a missing volume. */
export const volumesMounted: Rule = (objects) =>
  workloads(objects).flatMap(({ name, pod }) => {
    const volumes = (pod.volumes ?? []).map((volume) => volume.name);
    const mounts = containersOf(pod).flatMap(({ volumeMounts = [] }) => volumeMounts.map((mount) => mount.name));
    return [
      ...volumes
        .filter((volume) => !mounts.includes(volume))
        .map((volume) => `${name}: no container mounts the volume ${volume}`),
      ...mounts.filter((mount) => !volumes.includes(mount)).map((mount) => `${name}: there is no volume ${mount}`),
      ...(pod.volumes ?? [])
        .filter(({ emptyDir }) => emptyDir && !emptyDir.sizeLimit)
        .map((volume) => `${name}: the volume ${volume.name} must have a sizeLimit`),
    ];
  });
