import { representative } from '../../testing/form';
import { GOLDENS, goldenObjects } from '../goldens';
import { manifestsOf } from '../manifest';
import { KUBERNETES_VERSIONS } from './published';
import { schemaFaults } from './schema-faults';

const deployment = (name: string, pod: string) =>
  `{apiVersion: apps/v1, kind: Deployment, metadata: {name: ${name}}, spec: {selector: {}, template: {spec: {${pod}}}}}`;

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
---
apiVersion: monitoring.coreos.com/v1
kind: PrometheusRule
metadata: {name: good}
spec: {groups: [{name: g, rules: [{alert: A, expr: 1, for: 5m}]}]}
`);

const bad: readonly (readonly [what: string, text: string, message: string])[] = [
  [
    'an unknown field at the root',
    '{apiVersion: v1, kind: Service, metadata: {name: s}, specs: {}}',
    '/specs does not exist',
  ],
  [
    'one deep inside of a pod',
    deployment('d', 'containers: [{name: c, securityContext: {readOnlyRootFileSystem: true}}]'),
    '/spec/template/spec/containers/0/securityContext/readOnlyRootFileSystem does not exist',
  ],
  [
    'one in an object of KEDA',
    '{apiVersion: keda.sh/v1alpha1, kind: ScaledObject, metadata: {name: s}, spec: {scaleTargetRef: {name: d}, minReplicas: 2, triggers: []}}',
    '/spec/minReplicas does not exist',
  ],
  [
    'one in a trigger of KEDA',
    '{apiVersion: keda.sh/v1alpha1, kind: ScaledObject, metadata: {name: s}, spec: {scaleTargetRef: {name: d}, triggers: [{type: kafka, metadata: {topic: t}, topic: t}]}}',
    '/spec/triggers/0/topic does not exist',
  ],
  [
    'one in what KEDA authenticates with',
    '{apiVersion: keda.sh/v1alpha1, kind: TriggerAuthentication, metadata: {name: t}, spec: {secretTargetRefs: []}}',
    '/spec/secretTargetRefs does not exist',
  ],
  [
    'one in the metadata of a custom resource',
    '{apiVersion: keda.sh/v1alpha1, kind: TriggerAuthentication, metadata: {name: t, label: {}}, spec: {}}',
    '/metadata/label does not exist',
  ],
  [
    'one in a monitor',
    '{apiVersion: monitoring.coreos.com/v1, kind: ServiceMonitor, metadata: {name: s}, spec: {selector: {}, endpoints: [{ports: admin}]}}',
    '/spec/endpoints/0/ports does not exist',
  ],
  [
    'an interval that is none, in a monitor',
    '{apiVersion: monitoring.coreos.com/v1, kind: ServiceMonitor, metadata: {name: s}, spec: {selector: {}, endpoints: [{port: admin, interval: often}]}}',
    '/spec/endpoints/0/interval must match pattern',
  ],
  [
    'one in a rule',
    '{apiVersion: monitoring.coreos.com/v1, kind: PrometheusRule, metadata: {name: p}, spec: {groups: [{name: g, rules: [{alert: A, expression: up}]}]}}',
    '/spec/groups/0/rules/0/expression does not exist',
  ],
  [
    'one in a route',
    '{apiVersion: gateway.networking.k8s.io/v1, kind: HTTPRoute, metadata: {name: r}, spec: {hostnames: [a.b], rule: []}}',
    '/spec/rule does not exist',
  ],
  [
    'a word that a route does not know',
    '{apiVersion: gateway.networking.k8s.io/v1, kind: HTTPRoute, metadata: {name: r}, spec: {rules: [{matches: [{path: {type: Begins, value: /}}]}]}}',
    '/spec/rules/0/matches/0/path/type must be equal to one of the allowed values',
  ],
  [
    'a word where a number belongs',
    '{apiVersion: apps/v1, kind: Deployment, metadata: {name: d}, spec: {replicas: two, selector: {}, template: {spec: {containers: [{name: c}]}}}}',
    '/spec/replicas must be integer',
  ],
  [
    'what must be there and is not',
    '{apiVersion: apps/v1, kind: Deployment, metadata: {name: d}, spec: {selector: {}}}',
    "/spec must have required property 'template'",
  ],
  [
    'a number as the value of a label',
    '{apiVersion: v1, kind: Service, metadata: {name: s, labels: {a: 1}}, spec: {}}',
    '/metadata/labels/a must be string',
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

/** Fields by the version of Kubernetes that brought them; the last is in none of them. */
const since = [
  ['1.31', 'supplementalGroupsPolicy', 'securityContext: {supplementalGroupsPolicy: Strict}, containers: [{name: c}]'],
  ['1.32', 'seLinuxChangePolicy', 'securityContext: {seLinuxChangePolicy: Recursive}, containers: [{name: c}]'],
  ['1.33', 'stopSignal', 'containers: [{name: c, lifecycle: {stopSignal: SIGTERM}}]'],
  ['1.34', 'hostnameOverride', 'hostnameOverride: h, containers: [{name: c}]'],
  ['later', 'schedulingClass', 'schedulingClass: batch, containers: [{name: c}]'],
] as const;

describe.each(representative(KUBERNETES_VERSIONS))('the schemas of Kubernetes %s', (version) => {
  it('let pass what they know', () => {
    expect(good).toHaveLength(5);
    expect(schemaFaults(good, version)).toEqual([]);
  });

  it('refuse what they do not know, and say which object', () => {
    const unseen = bad.filter(([, text, message]) => {
      const [object] = manifestsOf(text);
      const begin = `${String(object?.kind)} ${String(object?.metadata.name)}: `;
      return !schemaFaults(object ? [object] : [], version).some((fault) => fault.startsWith(`${begin}${message}`));
    });
    expect(unseen).toEqual([]);
  });

  it('refuse the fields of later versions, and no others', () => {
    const faults = schemaFaults(
      since.flatMap(([, field, pod]) => manifestsOf(deployment(field.toLowerCase(), pod))),
      version,
    );
    const later = since.filter(([first]) => first > version).map(([, field]) => field);
    expect(later.length).toBeGreaterThan(0);
    expect(faults.map((fault) => /(\w+) does not exist$/.exec(fault)?.[1])).toEqual(later);
  });

  it('find every object of the kept renders as Kubernetes and its extensions describe it', () => {
    const objects = GOLDENS.flatMap(goldenObjects);
    expect(objects.length).toBeGreaterThan(20);
    expect(schemaFaults(objects, version)).toEqual([]);
  });
});
