import { readFileSync } from 'node:fs';
import { repository } from '../../e2e/repository';

/** The versions of Kubernetes that the chart is for. */
export const KUBERNETES_VERSIONS = ['1.30', '1.31', '1.32', '1.33', '1.34'] as const;
export type KubernetesVersion = (typeof KUBERNETES_VERSIONS)[number];

/** The kinds of Kubernetes that the chart may render, and the names of their schemas. */
export const KUBERNETES_KINDS: ReadonlyMap<string, string> = new Map([
  ['v1 ConfigMap', 'io.k8s.api.core.v1.ConfigMap'],
  ['v1 PersistentVolumeClaim', 'io.k8s.api.core.v1.PersistentVolumeClaim'],
  ['v1 Pod', 'io.k8s.api.core.v1.Pod'],
  ['v1 Service', 'io.k8s.api.core.v1.Service'],
  ['v1 ServiceAccount', 'io.k8s.api.core.v1.ServiceAccount'],
  ['apps/v1 Deployment', 'io.k8s.api.apps.v1.Deployment'],
  ['apps/v1 StatefulSet', 'io.k8s.api.apps.v1.StatefulSet'],
  ['batch/v1 Job', 'io.k8s.api.batch.v1.Job'],
  ['autoscaling/v2 HorizontalPodAutoscaler', 'io.k8s.api.autoscaling.v2.HorizontalPodAutoscaler'],
  ['networking.k8s.io/v1 Ingress', 'io.k8s.api.networking.v1.Ingress'],
  ['networking.k8s.io/v1 NetworkPolicy', 'io.k8s.api.networking.v1.NetworkPolicy'],
  ['policy/v1 PodDisruptionBudget', 'io.k8s.api.policy.v1.PodDisruptionBudget'],
]);

export interface Schema {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
  readonly nullable?: boolean;
  readonly 'x-kubernetes-preserve-unknown-fields'?: boolean;
  readonly 'x-kubernetes-int-or-string'?: boolean;
}
export type Definitions = Readonly<Record<string, Schema>>;

/** A CustomResourceDefinition, of one version. */
export interface CustomResource {
  /** The Go module, with its version, that it comes from. */
  readonly module: string;
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly annotations?: Readonly<Record<string, string>> };
  readonly spec: {
    readonly group: string;
    readonly names: { readonly kind: string };
    readonly versions: readonly { readonly name: string; readonly schema: { readonly openAPIV3Schema: Schema } }[];
  };
}

/** By version, the definitions that differ from those of the version before; `null` where one is gone. */
type Changes = Readonly<Record<string, Readonly<Record<string, Schema | null>>>>;

export function definitionsAt(changes: Changes, last: KubernetesVersion): Definitions {
  const upTo = KUBERNETES_VERSIONS.slice(0, KUBERNETES_VERSIONS.indexOf(last) + 1);
  const all = Object.assign({}, ...upTo.map((version) => changes[version] ?? {})) as Record<string, Schema | null>;
  return Object.fromEntries(Object.entries(all).filter((entry): entry is [string, Schema] => entry[1] !== null));
}

const kept = (name: string): unknown =>
  JSON.parse(readFileSync(repository(`tools/chart/schema/published/${name}.json`), 'utf8'));

export const kubernetesDefinitions = (version: KubernetesVersion): Definitions =>
  definitionsAt(kept('kubernetes') as Changes, version);

export const customResources = (): readonly CustomResource[] => kept('custom') as readonly CustomResource[];
