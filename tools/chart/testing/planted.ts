import { manifestsOf, type Manifest } from '../manifest';

const meta = (name: string, annotations = '') =>
  `{name: ${name}, namespace: n, annotations: {${annotations}}, labels: {app.kubernetes.io/name: a, app.kubernetes.io/instance: r, app.kubernetes.io/version: "1", app.kubernetes.io/managed-by: Helm, helm.sh/chart: a-1}}`;
const ofTest = (weight: number) =>
  `helm.sh/hook: test, helm.sh/hook-weight: "${weight}", helm.sh/hook-delete-policy: "before-hook-creation,hook-succeeded"`;

/** A small chart's render that keeps every rule; specs break one thing of it at a time. */
const GOOD = `
apiVersion: v1
kind: ServiceAccount
metadata: ${meta('account')}
automountServiceAccountToken: false
---
apiVersion: apps/v1
kind: Deployment
metadata: ${meta('gate')}
spec:
  strategy: {rollingUpdate: {maxSurge: 1, maxUnavailable: 0}}
  selector: {matchLabels: {component: gate}}
  template:
    metadata: {labels: {component: gate, version: "1"}}
    spec:
      automountServiceAccountToken: false
      enableServiceLinks: false
      terminationGracePeriodSeconds: 40
      securityContext: {runAsNonRoot: true, seccompProfile: {type: RuntimeDefault}}
      topologySpreadConstraints:
        - {topologyKey: kubernetes.io/hostname, maxSkew: 1, whenUnsatisfiable: ScheduleAnyway, labelSelector: {matchLabels: {component: gate}}}
        - {topologyKey: topology.kubernetes.io/zone, maxSkew: 1, whenUnsatisfiable: ScheduleAnyway, labelSelector: {matchLabels: {component: gate}}}
      containers:
        - name: gate
          image: example.com/gate:1.2.3
          args: [gate]
          env: [{name: START_TIMEOUT_MS, value: "60000"}, {name: STOP_TIMEOUT_MS, value: "25000"}, {name: STOP_DELAY_MS, value: "5000"}, {name: MASTER_KEY_FILE, value: /run/secrets/key}]
          ports: [{name: http, containerPort: 8080}, {name: admin, containerPort: 9090}]
          resources: {requests: {cpu: 100m, memory: 128Mi}, limits: {cpu: 1, memory: 256Mi}}
          securityContext: {allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: {drop: [ALL]}}
          lifecycle: {preStop: {sleep: {seconds: 5}}}
          startupProbe: {httpGet: {path: /readyz, port: admin}, periodSeconds: 2, timeoutSeconds: 2, failureThreshold: 150}
          readinessProbe: {httpGet: {path: /readyz, port: admin}, timeoutSeconds: 2}
          livenessProbe: {httpGet: {path: /livez, port: admin}, timeoutSeconds: 2, periodSeconds: 20, failureThreshold: 9}
          volumeMounts: [{name: key, mountPath: /run/secrets, readOnly: true}]
      volumes: [{name: key, secret: {secretName: key}}]
---
apiVersion: v1
kind: Service
metadata: ${meta('gate')}
spec: {selector: {component: gate}, ports: [{name: http, port: 80, targetPort: http}, {name: admin, port: 9090, targetPort: admin}]}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: ${meta('gate')}
spec: {maxUnavailable: 1, unhealthyPodEvictionPolicy: AlwaysAllow, selector: {matchLabels: {component: gate}}}
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: ${meta('gate')}
spec: {scaleTargetRef: {kind: Deployment, name: gate}, minReplicas: 2, maxReplicas: 5}
---
apiVersion: apps/v1
kind: Deployment
metadata: ${meta('reader')}
spec:
  strategy: {rollingUpdate: {maxSurge: 0, maxUnavailable: 1}}
  selector: {matchLabels: {component: reader}}
  template:
    metadata: {labels: {component: reader}}
    spec:
      automountServiceAccountToken: false
      enableServiceLinks: false
      terminationGracePeriodSeconds: 40
      securityContext: {runAsNonRoot: true, seccompProfile: {type: RuntimeDefault}}
      topologySpreadConstraints:
        - {topologyKey: kubernetes.io/hostname, maxSkew: 1, whenUnsatisfiable: ScheduleAnyway, labelSelector: {matchLabels: {component: reader}}}
        - {topologyKey: topology.kubernetes.io/zone, maxSkew: 1, whenUnsatisfiable: ScheduleAnyway, labelSelector: {matchLabels: {component: reader}}}
      initContainers:
        - name: before
          image: example.com/gate@sha256:${'0123456789abcdef'.repeat(4)}
          resources: {requests: {cpu: 100m, memory: 128Mi}, limits: {cpu: 1, memory: 256Mi}}
          securityContext: {allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: {drop: [ALL]}}
      containers:
        - name: reader
          image: example.com:5000/gate:1.2.3
          env: [{name: STOP_DELAY_MS, value: "5000"}]
          ports: [{name: admin, containerPort: 9090}]
          resources: {requests: {cpu: 100m, memory: 128Mi}, limits: {cpu: 1, memory: 256Mi}}
          securityContext: {allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: {drop: [ALL]}}
          lifecycle: {preStop: {sleep: {seconds: 5}}}
          startupProbe: {httpGet: {path: /readyz, port: admin}, periodSeconds: 2, timeoutSeconds: 2, failureThreshold: 180}
          readinessProbe: {httpGet: {path: /readyz, port: 9090}, timeoutSeconds: 3}
          livenessProbe: {httpGet: {path: /livez, port: admin}, timeoutSeconds: 2, periodSeconds: 20, failureThreshold: 9}
          volumeMounts: [{name: tmp, mountPath: /tmp}]
      volumes: [{name: tmp, emptyDir: {sizeLimit: 16Mi}}]
---
apiVersion: apps/v1
kind: StatefulSet
metadata: ${meta('single')}
spec:
  replicas: 1
  podManagementPolicy: Parallel
  selector: {matchLabels: {component: single}}
  template:
    metadata: {labels: {component: single}}
    spec:
      automountServiceAccountToken: false
      enableServiceLinks: false
      terminationGracePeriodSeconds: 40
      securityContext: {runAsNonRoot: true, seccompProfile: {type: RuntimeDefault}}
      containers:
        - name: single
          image: example.com/gate:1.2.3
          env: [{name: STOP_DELAY_MS, value: "1000"}]
          ports: [{name: admin, containerPort: 9090}]
          resources: {requests: {cpu: 100m, memory: 128Mi}, limits: {cpu: 1, memory: 256Mi}}
          securityContext: {allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: {drop: [ALL]}}
          lifecycle: {preStop: {sleep: {seconds: 1}}}
          startupProbe: {httpGet: {path: /readyz, port: admin}, periodSeconds: 2, timeoutSeconds: 2, failureThreshold: 180}
          readinessProbe: {httpGet: {path: /readyz, port: admin}, timeoutSeconds: 2}
          livenessProbe: {httpGet: {path: /livez, port: admin}, timeoutSeconds: 2, periodSeconds: 20, failureThreshold: 9}
          volumeMounts: [{name: data, mountPath: /data}]
      volumes: [{name: data, persistentVolumeClaim: {claimName: data}}]
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: ${meta('data', 'helm.sh/resource-policy: keep')}
spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
---
apiVersion: v1
kind: Pod
metadata: ${meta('test', ofTest(1))}
spec:
  automountServiceAccountToken: false
  enableServiceLinks: false
  securityContext: {runAsNonRoot: true, seccompProfile: {type: RuntimeDefault}}
  containers:
    - name: test
      image: example.com/gate:1.2.3
      resources: {requests: {cpu: 100m, memory: 128Mi}, limits: {cpu: 1, memory: 256Mi}}
      securityContext: {allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: {drop: [ALL]}}
---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: ${meta('test', ofTest(0))}
spec: {podSelector: {matchLabels: {component: test}}, policyTypes: [Egress]}
---
apiVersion: keda.sh/v1alpha1
kind: ScaledObject
metadata: ${meta('reader')}
spec: {scaleTargetRef: {name: reader}, minReplicaCount: 2, maxReplicaCount: 12, triggers: [{type: kafka, metadata: {topic: prefix.dsr.commands.v1}}]}
---
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: ${meta('gate')}
spec: {rules: [{host: a.example, http: {paths: [{path: /, pathType: Prefix, backend: {service: {name: gate, port: {name: http}}}}]}}]}
---
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: ${meta('gate')}
spec: {parentRefs: [{name: outside}], hostnames: [a.example], rules: [{backendRefs: [{name: gate, port: 80}]}]}
`;

const parsed = manifestsOf(GOOD);

export const good = (): Manifest[] => structuredClone(parsed);

type Node = Record<string, unknown>;

/** The good render with one thing changed: `Deployment/gate spec.replicas`, steps through lists by number; `undefined` takes it away. */
export function broken(place: string, value: unknown): Manifest[] {
  const [object = '', path = ''] = place.split(' ');
  const objects = good();
  const steps = path.split(/\.(?![^[]*\])/).map((step) => step.replace(/^\[|\]$/g, ''));
  const found = objects.find(({ kind, metadata }) => `${kind}/${metadata.name}` === object);
  let node = found as unknown as Node | undefined;
  for (const step of steps.slice(0, -1)) node = node?.[step] as Node | undefined;
  const last = steps.at(-1);
  if (!node || !last) throw new Error(`nothing is planted at ${place}`);
  if (value === undefined) delete node[last];
  else node[last] = value;
  return objects;
}
