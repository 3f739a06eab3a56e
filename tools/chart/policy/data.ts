import { component, nameOf, ofKind, workloads, type Manifest } from '../manifest';
import type { Rule } from './rule';

const claimsOf = (objects: readonly Manifest[]) =>
  workloads(objects).flatMap(({ object, labels, pod }) =>
    (pod.volumes ?? []).flatMap(({ persistentVolumeClaim: claim }) =>
      claim ? [{ object, app: component(labels), claim: claim.claimName }] : [],
    ),
  );

/**
 * Embedded stores can be open in one process only. A StatefulSet of one pod makes no second one while the first may
 * still run; a Deployment would. A pod that is not ready must not keep the next upgrade from replacing it.
 */
export const oneWriter: Rule = (objects) => [
  ...claimsOf(objects)
    .filter(({ object }) => !['StatefulSet', 'Job'].includes(object.kind))
    .map(({ object, claim }) => `${nameOf(object)}: only a StatefulSet may hold the claim ${claim}`),
  ...ofKind(objects, 'StatefulSet').flatMap((set) => [
    ...(set.spec?.replicas === 1 ? [] : [`${nameOf(set)}: must have one pod`]),
    ...(set.spec?.podManagementPolicy === 'Parallel'
      ? []
      : [`${nameOf(set)}: a pod that is not ready must not block its replacement (podManagementPolicy)`]),
    ...(set.spec?.volumeClaimTemplates === undefined
      ? []
      : [`${nameOf(set)}: its claims must be objects of their own, which can grow`]),
  ]),
];

/** What a claim holds is in no other place. */
export const claimsKept: Rule = (objects) =>
  ofKind(objects, 'PersistentVolumeClaim')
    .filter(({ metadata }) => metadata?.annotations?.['helm.sh/resource-policy'] !== 'keep')
    .map((claim) => `${nameOf(claim)}: must stay when the release is uninstalled`);
