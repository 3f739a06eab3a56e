import type { Deployment, StatefulSet } from 'kubernetes-types/apps/v1';
import type { HorizontalPodAutoscaler } from 'kubernetes-types/autoscaling/v2';
import type { Container, PersistentVolumeClaim, PodSpec, Service, ServiceAccount } from 'kubernetes-types/core/v1';
import type { LabelSelector, ObjectMeta } from 'kubernetes-types/meta/v1';
import type { Ingress, NetworkPolicy } from 'kubernetes-types/networking/v1';
import type { PodDisruptionBudget } from 'kubernetes-types/policy/v1';
import { parseAllDocuments } from 'yaml';

/** An object of Kubernetes as a chart renders it. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ObjectMeta;
}

/** What the specs read of kinds that are not Kubernetes' own. */
interface Custom<Spec> {
  readonly metadata?: ObjectMeta;
  readonly spec?: Spec;
}

type HTTPRoute = Custom<{
  readonly hostnames?: readonly string[];
  readonly rules?: readonly { readonly backendRefs?: readonly { readonly name: string; readonly port?: number }[] }[];
}>;

type PrometheusRule = Custom<{
  readonly groups?: readonly {
    readonly name: string;
    readonly rules?: readonly {
      readonly alert?: string;
      readonly expr: string;
      readonly annotations?: Readonly<Record<string, string>>;
    }[];
  }[];
}>;

type ScaledObject = Custom<{
  readonly scaleTargetRef?: { readonly name: string };
  readonly minReplicaCount?: number;
  readonly maxReplicaCount?: number;
  readonly triggers?: readonly { readonly type: string; readonly metadata?: Readonly<Record<string, string>> }[];
}>;

type ServiceMonitor = Custom<{
  readonly selector: LabelSelector;
  readonly endpoints: readonly { readonly port?: string }[];
}>;

interface Kinds {
  readonly Deployment: Deployment;
  readonly HorizontalPodAutoscaler: HorizontalPodAutoscaler;
  readonly HTTPRoute: HTTPRoute;
  readonly Ingress: Ingress;
  readonly NetworkPolicy: NetworkPolicy;
  readonly PersistentVolumeClaim: PersistentVolumeClaim;
  readonly PodDisruptionBudget: PodDisruptionBudget;
  readonly PrometheusRule: PrometheusRule;
  readonly ScaledObject: ScaledObject;
  readonly Service: Service;
  readonly ServiceAccount: ServiceAccount;
  readonly ServiceMonitor: ServiceMonitor;
  readonly StatefulSet: StatefulSet;
}

export type Labels = Readonly<Record<string, string>>;
export type { Container };

/** The objects of a YAML stream without empty documents. Throws on invalid YAML. */
export function manifestsOf(text: string): Manifest[] {
  const documents = parseAllDocuments(text);
  if (!Array.isArray(documents)) return [];
  return documents.flatMap((document) => {
    const [error] = document.errors;
    if (error) throw error;
    const object = document.toJS() as Manifest | null;
    return object === null ? [] : [object];
  });
}

export const ofKind = <K extends keyof Kinds>(
  objects: readonly Manifest[],
  kind: K,
): (Kinds[K] & { readonly kind: K })[] =>
  objects.filter((object) => object.kind === kind) as unknown as (Kinds[K] & { readonly kind: K })[];

/** How a fault names an object. */
export const nameOf = ({
  kind,
  metadata,
}: {
  readonly kind: string;
  readonly metadata?: { readonly name?: string; readonly generateName?: string };
}): string => `${kind} ${metadata?.name ?? metadata?.generateName ?? '(without a name)'}`;

/** What makes pods: a Deployment, a Job or anything else with a template of pods, or a pod by itself. */
export interface Workload {
  readonly name: string;
  readonly object: Manifest;
  readonly labels: Labels;
  readonly pod: PodSpec;
}

interface Template {
  readonly metadata?: { readonly labels?: Labels };
  readonly spec?: PodSpec;
}

interface Templated {
  readonly template?: Template;
  readonly jobTemplate?: { readonly spec?: { readonly template?: Template } };
}

export const workloads = (objects: readonly Manifest[]): Workload[] =>
  objects.flatMap((object) => {
    const { spec = {} } = object as Manifest & { readonly spec?: Templated };
    const template =
      object.kind === 'Pod' ? (object as unknown as Template) : (spec.template ?? spec.jobTemplate?.spec?.template);
    return template?.spec
      ? [{ name: nameOf(object), object, labels: template.metadata?.labels ?? {}, pod: template.spec }]
      : [];
  });

/** All containers of a pod, those that run before the others among them. */
export const containersOf = ({ containers, initContainers = [] }: PodSpec): readonly Container[] => [
  ...initContainers,
  ...containers,
];

export const component = (labels: Labels): string => labels['app.kubernetes.io/component'] ?? '';
