import type { IScaledObject } from '@kubernetes-models/keda/keda.sh/v1alpha1/ScaledObject';
import type { IHTTPRoute } from '@kubernetes-models/gateway-api/gateway.networking.k8s.io/v1/HTTPRoute';
import type { IPrometheusRule } from '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1/PrometheusRule';
import type { IServiceMonitor } from '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1/ServiceMonitor';
import type { IDeployment } from 'kubernetes-models/apps/v1/Deployment';
import type { IStatefulSet } from 'kubernetes-models/apps/v1/StatefulSet';
import type { IHorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2/HorizontalPodAutoscaler';
import type { IIngress } from 'kubernetes-models/networking.k8s.io/v1/Ingress';
import type { INetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicy';
import type { IPodDisruptionBudget } from 'kubernetes-models/policy/v1/PodDisruptionBudget';
import type { IContainer } from 'kubernetes-models/v1/Container';
import type { IPersistentVolumeClaim } from 'kubernetes-models/v1/PersistentVolumeClaim';
import type { IPodSpec } from 'kubernetes-models/v1/PodSpec';
import type { IService } from 'kubernetes-models/v1/Service';
import type { IServiceAccount } from 'kubernetes-models/v1/ServiceAccount';
import { parseAllDocuments } from 'yaml';

/** An object of Kubernetes as a chart renders it. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: NonNullable<IDeployment['metadata']>;
}

interface Kinds {
  readonly Deployment: IDeployment;
  readonly HorizontalPodAutoscaler: IHorizontalPodAutoscaler;
  readonly HTTPRoute: IHTTPRoute;
  readonly Ingress: IIngress;
  readonly NetworkPolicy: INetworkPolicy;
  readonly PersistentVolumeClaim: IPersistentVolumeClaim;
  readonly PodDisruptionBudget: IPodDisruptionBudget;
  readonly PrometheusRule: IPrometheusRule;
  readonly ScaledObject: IScaledObject;
  readonly Service: IService;
  readonly ServiceAccount: IServiceAccount;
  readonly ServiceMonitor: IServiceMonitor;
  readonly StatefulSet: IStatefulSet;
}

export type Labels = Readonly<Record<string, string>>;
export type Container = IContainer;

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

export const ofKind = <K extends keyof Kinds>(objects: readonly Manifest[], kind: K): Kinds[K][] =>
  objects.filter((object) => object.kind === kind) as unknown as Kinds[K][];

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
  readonly pod: IPodSpec;
}

interface Template {
  readonly metadata?: { readonly labels?: Labels };
  readonly spec?: IPodSpec;
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
export const containersOf = ({ containers, initContainers = [] }: IPodSpec): readonly IContainer[] => [
  ...initContainers,
  ...containers,
];

export const component = (labels: Labels): string => labels['app.kubernetes.io/component'] ?? '';
