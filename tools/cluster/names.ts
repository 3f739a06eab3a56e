/** As in docs/kubernetes.md, like the two after it. */
export const NAMESPACE = 'opendsr';
export const RELEASE = 'opendsr';
export const SERVICE = 'opendsr-opendsr-service';
/** The longest wait of helm and kubectl. */
export const WITHIN = '600s';
export const CHART = 'docker/helm/opendsr-service';
export const domains = { v2: 'opendsr.example.com', v1: 'opengdpr.example.com' };
/** Those of `sandbox-values.yaml`. */
export const trialDomains = { v2: 'opendsr.localhost', v1: 'opengdpr.localhost' };

export type Form = 'production' | 'trial';

/** The components of the release that run all the time. */
export const APPS = 'gateway, request, callback-dispatcher, results, ingestion';
