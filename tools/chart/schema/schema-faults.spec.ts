/**
 * The packages of types export for `import` alone, which Jest leaves out of what a `require` may resolve.
 * @jest-environment-options {"customExportConditions": ["node", "import"]}
 */
import { GOLDENS, goldenObjects } from '../goldens';
import { manifestsOf } from '../manifest';
import { schemaFaults } from './schema-faults';

const good = manifestsOf(`
apiVersion: apps/v1
kind: Deployment
metadata: {name: good, namespace: n, labels: {a: b}}
spec:
  replicas: 2
  selector: {matchLabels: {a: b}}
  template:
    metadata: {labels: {a: b}}
    spec: {containers: [{name: c, image: i, resources: {limits: {cpu: 1, memory: 64Mi}}, readinessProbe: {httpGet: {path: /, port: admin}}}]}
---
apiVersion: keda.sh/v1alpha1
kind: ScaledObject
metadata: {name: good}
spec: {scaleTargetRef: {name: good}, triggers: [{type: kafka, metadata: {topic: t}}]}
---
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: {name: good}
spec: {parentRefs: [{name: g}], rules: [{backendRefs: [{name: s, port: 80}]}]}
---
apiVersion: monitoring.coreos.com/v1
kind: ServiceMonitor
metadata: {name: good}
spec: {selector: {matchLabels: {a: b}}, endpoints: [{port: admin, interval: 30s}]}
`);

const bad: readonly (readonly [what: string, text: string, message: string])[] = [
  [
    'an unknown field at the root',
    '{apiVersion: v1, kind: Service, metadata: {name: s}, specs: {}}',
    '\'"specs"\' does not exist',
  ],
  [
    'one deep inside of a pod',
    '{apiVersion: apps/v1, kind: Deployment, metadata: {name: d}, spec: {selector: {}, template: {spec: {containers: [{name: c, securityContext: {readOnlyRootFileSystem: true}}]}}}}',
    'readOnlyRootFileSystem',
  ],
  [
    'one in an object of KEDA',
    '{apiVersion: keda.sh/v1alpha1, kind: ScaledObject, metadata: {name: s}, spec: {scaleTargetRef: {name: d}, minReplicas: 2, triggers: []}}',
    'minReplicas',
  ],
  [
    'one in a monitor',
    '{apiVersion: monitoring.coreos.com/v1, kind: ServiceMonitor, metadata: {name: s}, spec: {selector: {}, endpoints: [{ports: admin}]}}',
    'ports',
  ],
  [
    'one in a route',
    '{apiVersion: gateway.networking.k8s.io/v1, kind: HTTPRoute, metadata: {name: r}, spec: {hostnames: [a.b], rule: []}}',
    '"rule"',
  ],
  [
    'a word where a number belongs',
    '{apiVersion: apps/v1, kind: Deployment, metadata: {name: d}, spec: {replicas: two, selector: {}, template: {spec: {containers: [{name: c}]}}}}',
    'replicas must be integer',
  ],
  [
    'what must be there and is not',
    '{apiVersion: apps/v1, kind: Deployment, metadata: {name: d}, spec: {selector: {}}}',
    'must have required property template',
  ],
  [
    'a number as the value of a label',
    '{apiVersion: v1, kind: Service, metadata: {name: s, labels: {a: 1}}, spec: {}}',
    'must be string',
  ],
  [
    'a kind in a version that does not exist',
    '{apiVersion: autoscaling/v2beta2, kind: HorizontalPodAutoscaler, metadata: {name: h}, spec: {}}',
    'unknown kind: autoscaling/v2beta2',
  ],
  [
    'an unknown kind',
    '{apiVersion: example.com/v1, kind: Thing, metadata: {name: t}}',
    'unknown kind: example.com/v1 Thing',
  ],
];

it('lets pass what the schemas know', () => {
  expect(good).toHaveLength(4);
  expect(schemaFaults(good)).toEqual([]);
});

it('refuses what they do not know, and says which object', () => {
  const objects = bad.flatMap(([, text]) => manifestsOf(text));
  const faults = schemaFaults(objects);
  const unseen = bad.filter(
    ([, , message], index) =>
      !faults.some(
        (fault) =>
          fault.startsWith(`${objects[index]?.kind} ${objects[index]?.metadata.name}: `) && fault.includes(message),
      ),
  );
  expect(unseen).toEqual([]);
});

it('finds every object of the kept renders as Kubernetes and its extensions describe it', () => {
  const objects = GOLDENS.flatMap(goldenObjects);
  expect(objects.length).toBeGreaterThan(20);
  expect(schemaFaults(objects)).toEqual([]);
});
