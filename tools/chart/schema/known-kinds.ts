import { HTTPRoute } from '@kubernetes-models/gateway-api/gateway.networking.k8s.io/v1/HTTPRoute';
import { ScaledObject } from '@kubernetes-models/keda/keda.sh/v1alpha1/ScaledObject';
import { TriggerAuthentication } from '@kubernetes-models/keda/keda.sh/v1alpha1/TriggerAuthentication';
import { PrometheusRule } from '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1/PrometheusRule';
import { ServiceMonitor } from '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1/ServiceMonitor';
import { Deployment } from 'kubernetes-models/apps/v1/Deployment';
import { StatefulSet } from 'kubernetes-models/apps/v1/StatefulSet';
import { HorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2/HorizontalPodAutoscaler';
import { Job } from 'kubernetes-models/batch/v1/Job';
import { Ingress } from 'kubernetes-models/networking.k8s.io/v1/Ingress';
import { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicy';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1/PodDisruptionBudget';
import { ConfigMap } from 'kubernetes-models/v1/ConfigMap';
import { PersistentVolumeClaim } from 'kubernetes-models/v1/PersistentVolumeClaim';
import { Pod } from 'kubernetes-models/v1/Pod';
import { Service } from 'kubernetes-models/v1/Service';
import { ServiceAccount } from 'kubernetes-models/v1/ServiceAccount';
import type { Manifest } from '../manifest';

interface Model {
  readonly apiVersion: string;
  readonly kind: string;
  new (data?: never): { validate(): void };
}

/** A kind that the chart may render, and the package whose types and schema describe it. */
interface KnownKind {
  readonly model: Model;
  readonly types: string;
}

const core = (model: Model, folder: string): KnownKind => ({
  model,
  types: `kubernetes-models/${folder}/${model.kind}`,
});
const keda = (model: Model): KnownKind => ({ model, types: `@kubernetes-models/keda/keda.sh/v1alpha1/${model.kind}` });
const prometheus = (model: Model): KnownKind => ({
  model,
  types: `@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1/${model.kind}`,
});

const kinds: readonly KnownKind[] = [
  core(ConfigMap, 'v1'),
  core(PersistentVolumeClaim, 'v1'),
  core(Pod, 'v1'),
  core(Service, 'v1'),
  core(ServiceAccount, 'v1'),
  core(Deployment, 'apps/v1'),
  core(StatefulSet, 'apps/v1'),
  core(Job, 'batch/v1'),
  core(HorizontalPodAutoscaler, 'autoscaling/v2'),
  core(Ingress, 'networking.k8s.io/v1'),
  core(NetworkPolicy, 'networking.k8s.io/v1'),
  core(PodDisruptionBudget, 'policy/v1'),
  keda(ScaledObject),
  keda(TriggerAuthentication),
  prometheus(PrometheusRule),
  prometheus(ServiceMonitor),
  { model: HTTPRoute, types: '@kubernetes-models/gateway-api/gateway.networking.k8s.io/v1/HTTPRoute' },
];

/** The schema of an object; `undefined` for an unknown kind, which is a fault. */
export const knownKind = ({ apiVersion, kind }: Pick<Manifest, 'apiVersion' | 'kind'>): KnownKind | undefined =>
  kinds.find(({ model }) => model.apiVersion === apiVersion && model.kind === kind);
