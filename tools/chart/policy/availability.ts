import type { Deployment } from 'kubernetes-types/apps/v1';
import { TOPICS } from '@opendsr-service/contracts';
import { nameOf, ofKind, workloads, type Manifest } from '../manifest';
import type { Rule } from './rule';
import { selects, type Selector } from './selects';

interface Scaled {
  readonly name: string;
  readonly target: string | undefined;
  readonly min: number | undefined;
  readonly max: number | undefined;
}

const scalers = (objects: readonly Manifest[]): Scaled[] => [
  ...ofKind(objects, 'HorizontalPodAutoscaler').map((hpa) => ({
    name: nameOf(hpa),
    target: hpa.spec?.scaleTargetRef.name,
    min: hpa.spec?.minReplicas,
    max: hpa.spec?.maxReplicas,
  })),
  ...ofKind(objects, 'ScaledObject').map((scaled) => ({
    name: nameOf(scaled),
    target: scaled.spec?.scaleTargetRef?.name,
    min: scaled.spec?.minReplicaCount,
    max: scaled.spec?.maxReplicaCount,
  })),
];

/** How many pods of a Deployment there are at least. */
const leastReplicas = (objects: readonly Manifest[], deployment: Deployment): number =>
  deployment.spec?.replicas ?? scalers(objects).find(({ target }) => target === deployment.metadata?.name)?.min ?? 1;

/**
 * A Deployment with an autoscaler sets no number of replicas: each `helm upgrade` would reset it. The minimum is two.
 */
export const scaling: Rule = (objects) =>
  scalers(objects).flatMap(({ name, target, min = 0, max = 0 }) => {
    const deployment = ofKind(objects, 'Deployment').find(({ metadata }) => metadata?.name === target);
    return [
      ...(deployment ? [] : [`${name}: there is no Deployment ${String(target)}`]),
      ...(deployment?.spec?.replicas === undefined ? [] : [`${name}: its Deployment must not say replicas`]),
      ...(min >= 2 ? [] : [`${name}: must keep two at least`]),
      ...(max >= min ? [] : [`${name}: its most must not be less than its least`]),
    ];
  });

/** More consumers than partitions would be idle. Each trigger names one of our topics, with any prefix. */
export const consumersHavePartitions: Rule = (objects) =>
  ofKind(objects, 'ScaledObject').flatMap((scaled) =>
    (scaled.spec?.triggers ?? [])
      .filter(({ type }) => ['kafka', 'apache-kafka'].includes(type))
      .flatMap(({ metadata = {} }) => {
        const topic = Object.values(TOPICS).find(({ name }) => metadata['topic']?.endsWith(name));
        if (!topic) return [`${nameOf(scaled)}: there is no topic ${String(metadata['topic'])}`];
        return (scaled.spec?.maxReplicaCount ?? Number.POSITIVE_INFINITY) > topic.partitions
          ? [`${nameOf(scaled)}: must not exceed the ${topic.partitions} partitions of ${topic.name}`]
          : [];
      }),
  );

const allowed = (value: string | number | undefined): number => (value === undefined ? Number.NaN : Number(value));

/** A budget covers the pods of one Deployment and always lets one of them go, or a node could never be drained. */
export const budgets: Rule = (objects) =>
  ofKind(objects, 'PodDisruptionBudget').flatMap((budget) => {
    const deployments = ofKind(objects, 'Deployment').filter(({ spec }) =>
      selects(
        (budget.spec?.selector ?? {}) as Selector,
        (spec?.template.metadata?.labels ?? {}) as Record<string, string>,
      ),
    );
    const [deployment] = deployments;
    if (!deployment || deployments.length > 1)
      return [`${nameOf(budget)}: must cover one Deployment, not ${deployments.length}`];
    const replicas = leastReplicas(objects, deployment);
    const { minAvailable, maxUnavailable, unhealthyPodEvictionPolicy } = budget.spec ?? {};
    const stay = maxUnavailable === undefined ? allowed(minAvailable) : replicas - allowed(maxUnavailable);
    return [
      ...(stay <= replicas - 1 ? [] : [`${nameOf(budget)}: must let one of ${replicas} go`]),
      ...(stay >= 1 ? [] : [`${nameOf(budget)}: must keep one of ${replicas}`]),
      ...(unhealthyPodEvictionPolicy === 'AlwaysAllow'
        ? []
        : [`${nameOf(budget)}: must let pods go that do not work (unhealthyPodEvictionPolicy)`]),
    ];
  });

const answersCallers = (deployment: Deployment): boolean =>
  (deployment.spec?.template.spec?.containers ?? []).some(({ ports = [] }) =>
    ports.some(({ name }) => name === 'http'),
  );

/**
 * An upgrade must not start new pods of all services at once: only those that answer callers have one more pod
 * meanwhile, the others one less.
 */
export const calmUpgrades: Rule = (objects) =>
  ofKind(objects, 'Deployment').flatMap((deployment) => {
    const { maxSurge = '25%', maxUnavailable = '25%' } = deployment.spec?.strategy?.rollingUpdate ?? {};
    if (answersCallers(deployment))
      return maxUnavailable === 0 ? [] : [`${nameOf(deployment)}: no pod may be missing while it is upgraded`];
    return maxSurge === 0 || leastReplicas(objects, deployment) < 2
      ? []
      : [`${nameOf(deployment)}: must have no further pod while it is upgraded (maxSurge)`];
  });

/** Two pods on one node are one failure away from none. */
export const spread: Rule = (objects) =>
  workloads(objects)
    .filter(({ object }) => object.kind === 'Deployment')
    .flatMap(({ name, pod, labels }) => {
      const constraints = pod.topologySpreadConstraints ?? [];
      const keys = constraints.map(({ topologyKey }) => topologyKey);
      return [
        ...['kubernetes.io/hostname', 'topology.kubernetes.io/zone']
          .filter((key) => !keys.includes(key))
          .map((key) => `${name}: must be spread by ${key}`),
        ...constraints
          .filter(({ labelSelector }) => !labelSelector || !selects(labelSelector as Selector, labels))
          .map(({ topologyKey }) => `${name}: its spread by ${topologyKey} does not count its own pods`),
      ];
    });
