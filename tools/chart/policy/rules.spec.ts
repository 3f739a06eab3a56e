import { GOLDENS, goldenObjects } from '../goldens';
import { nameOf } from '../manifest';
import { broken, good } from '../testing/planted';
import { RULES, type RuleName } from './rules';

const pod = 'Deployment/gate spec.template.spec';
const gate = `${pod}.containers.0`;
const before = 'Deployment/reader spec.template.spec.initContainers.0';
const labels = 'spec.template.metadata.labels';

/** One thing wrong, and what the rule says of it. */
const planted: readonly (readonly [rule: RuleName, place: string, value: unknown, fault: string])[] = [
  ['restricted', `${pod}.securityContext`, undefined, 'runAsNonRoot must be true'],
  ['restricted', `${pod}.securityContext.runAsNonRoot`, false, 'runAsNonRoot must be true'],
  ['restricted', `${pod}.securityContext.runAsUser`, 0, 'runAsUser must not be 0'],
  ['restricted', `${pod}.securityContext.seccompProfile.type`, 'Unconfined', 'seccompProfile must be RuntimeDefault'],
  [
    'restricted',
    `${pod}.securityContext.sysctls`,
    [{ name: 'net.ipv4.tcp_syncookies', value: '0' }],
    'must not set sysctls',
  ],
  ['restricted', `${pod}.hostNetwork`, true, 'must not share namespaces with the host'],
  ['restricted', `${pod}.hostPID`, true, 'must not share namespaces with the host'],
  ['restricted', `${pod}.hostIPC`, true, 'must not share namespaces with the host'],
  ['restricted', `${pod}.volumes.0`, { name: 'key', hostPath: { path: '/' } }, 'has a volume of a kind'],
  ['restricted', `${gate}.securityContext`, undefined, 'allowPrivilegeEscalation must be false'],
  ['restricted', `${gate}.securityContext.allowPrivilegeEscalation`, true, 'allowPrivilegeEscalation must be false'],
  ['restricted', `${gate}.securityContext.privileged`, true, 'must not be privileged'],
  ['restricted', `${gate}.securityContext.readOnlyRootFilesystem`, undefined, 'readOnlyRootFilesystem must be true'],
  ['restricted', `${gate}.securityContext.procMount`, 'Unmasked', 'procMount must be Default'],
  ['restricted', `${gate}.securityContext.capabilities.drop`, ['NET_RAW'], 'must drop ALL capabilities'],
  ['restricted', `${gate}.securityContext.capabilities.add`, ['NET_ADMIN'], 'must add no capability'],
  ['restricted', `${gate}.securityContext.runAsNonRoot`, false, 'runAsNonRoot must not be false'],
  ['restricted', `${gate}.securityContext.runAsUser`, 0, 'runAsUser must not be 0'],
  [
    'restricted',
    `${gate}.securityContext.seccompProfile`,
    { type: 'Unconfined' },
    'seccompProfile must be RuntimeDefault',
  ],
  ['restricted', `${gate}.ports.0.hostPort`, 80, 'must not take a port of the host'],
  ['restricted', `${before}.securityContext.readOnlyRootFilesystem`, false, 'readOnlyRootFilesystem must be true'],
  ['resources', `${gate}.resources`, undefined, 'must request cpu'],
  ['resources', `${gate}.resources.requests.memory`, undefined, 'must request memory'],
  ['resources', `${gate}.resources.limits.memory`, '', 'must limit memory'],
  ['resources', `${gate}.resources.limits.cpu`, undefined, 'must limit cpu'],
  ['resources', `${gate}.resources.requests.memory`, '1Gi', 'requests more memory than its limit'],
  ['resources', `${before}.resources.limits`, undefined, 'must limit memory'],
  ['pinnedImages', `${gate}.image`, 'example.com/gate:latest', 'must name a version'],
  ['pinnedImages', `${gate}.image`, 'example.com:5000/gate', 'must name a version'],
  ['pinnedImages', `${before}.image`, 'gate', 'must name a version'],
  ['onceEach', `${gate}.env.1.name`, 'START_TIMEOUT_MS', 'sets START_TIMEOUT_MS twice'],
  ['onceEach', `${gate}.ports.0.name`, 'admin', 'has the port admin twice'],
  ['noSecretObjects', 'Service/gate kind', 'Secret', 'the chart makes no secrets'],
  [
    'noServiceAccountToken',
    'ServiceAccount/account automountServiceAccountToken',
    undefined,
    'automountServiceAccountToken must be false',
  ],
  [
    'noServiceAccountToken',
    `${pod}.automountServiceAccountToken`,
    undefined,
    'automountServiceAccountToken must be false',
  ],
  ['noServiceAccountToken', `${pod}.enableServiceLinks`, undefined, 'enableServiceLinks must be false'],
  [
    'noServiceAccountToken',
    `${pod}.volumes.0`,
    { name: 'key', projected: { sources: [{ serviceAccountToken: { path: 't' } }] } },
    'must not mount a token',
  ],
  [
    'noLiteralSecrets',
    `${gate}.env.0`,
    { name: 'KAFKA_SASL_PASSWORD', value: 'x' },
    'KAFKA_SASL_PASSWORD must come from a file',
  ],
  [
    'noLiteralSecrets',
    `${gate}.env.0`,
    { name: 'MONGODB_URI', value: 'mongodb://h' },
    'MONGODB_URI must come from a file',
  ],
  [
    'noLiteralSecrets',
    `${gate}.env.0`,
    { name: 'MONGODB_URI', valueFrom: { secretKeyRef: { name: 's', key: 'k' } } },
    'not from a secret as a variable',
  ],
  ['noLiteralSecrets', `${gate}.envFrom`, [{ secretRef: { name: 's' } }], 'must name each variable'],
  ['noLiteralSecrets', `${gate}.args`, ['--uri=mongodb://u:p@h'], 'no secret among its arguments'],
  ['noLiteralSecrets', 'Service/gate metadata.annotations', { a: 'amqp://u:p@h' }, 'holds a password'],
  [
    'noLiteralSecrets',
    'Service/gate metadata.annotations',
    { a: '-----BEGIN RSA PRIVATE KEY-----' },
    'holds a password or a private key',
  ],
  ['secretsFollow', `${gate}.volumeMounts.0.subPath`, 'key', 'without subPath'],
  ['secretsFollow', `${gate}.volumeMounts.0.readOnly`, undefined, 'to be read only'],
  ['probes', `${gate}.startupProbe`, undefined, 'must have a startupProbe'],
  ['probes', `${gate}.readinessProbe`, { tcpSocket: { port: 'admin' } }, 'must have a readinessProbe by HTTP'],
  ['probes', `${gate}.livenessProbe.httpGet.path`, '/readyz', 'its livenessProbe must ask /livez'],
  ['probes', `${gate}.readinessProbe.httpGet.port`, 'http', 'its readinessProbe must ask the port admin'],
  ['probes', `${gate}.readinessProbe.httpGet.port`, 9091, 'its readinessProbe must ask the port admin'],
  ['probes', `${gate}.livenessProbe.timeoutSeconds`, undefined, 'its livenessProbe must wait 2 s for an answer'],
  ['probes', `${gate}.readinessProbe.timeoutSeconds`, 1, 'its readinessProbe must wait 2 s for an answer'],
  ['patient', `${gate}.livenessProbe.periodSeconds`, 5, 'its livenessProbe must fail for 120 s'],
  ['patient', `${gate}.livenessProbe.failureThreshold`, 2, 'its livenessProbe must fail for 120 s'],
  ['startsInTime', `${gate}.startupProbe.failureThreshold`, 149, 'must allow 240 s more than START_TIMEOUT_MS'],
  ['startsInTime', `${gate}.env`, [], 'must allow 240 s more than START_TIMEOUT_MS'],
  ['stopsInTime', `${gate}.lifecycle`, undefined, 'must sleep before it stops'],
  ['stopsInTime', `${pod}.terminationGracePeriodSeconds`, 30, 'terminationGracePeriodSeconds must be longer'],
  ['stopsInTime', `${gate}.env.1.value`, '35000', 'terminationGracePeriodSeconds must be longer'],
  ['stopsInTime', `${gate}.env.2.value`, '10000', 'terminationGracePeriodSeconds must be longer'],
  ['stopsInTime', `${gate}.env.2.value`, '0', 'must have a STOP_DELAY_MS'],
  ['stopsInTime', `${gate}.env.2.name`, 'STOP_DELAYS_MS', 'must have a STOP_DELAY_MS'],
  ['namesOnce', 'Deployment/reader metadata.name', 'gate', 'is rendered twice'],
  ['namespaced', 'Service/gate metadata.namespace', undefined, 'must name its namespace'],
  ['hooksOfTests', 'Service/gate metadata.annotations', { 'helm.sh/hook': 'pre-upgrade' }, 'must not be a hook'],
  ['hooksOfTests', 'Service/gate metadata.annotations', { 'argocd.argoproj.io/hook': 'Sync' }, 'must not be a hook'],
  ['hooksOfTests', 'Pod/test metadata.annotations.[helm.sh/hook]', 'test,post-install', 'must not be a hook'],
  [
    'hooksOfTests',
    'Pod/test metadata.annotations.[helm.sh/hook-delete-policy]',
    'before-hook-creation',
    'must be deleted by hook-succeeded',
  ],
  [
    'hooksOfTests',
    'NetworkPolicy/test metadata.annotations.[helm.sh/hook-delete-policy]',
    undefined,
    'must be deleted by before-hook-creation',
  ],
  [
    'testsOrdered',
    'NetworkPolicy/test metadata.annotations.[helm.sh/hook-weight]',
    '1',
    'must be made before the pods',
  ],
  [
    'labelled',
    'Service/gate metadata.labels.[app.kubernetes.io/version]',
    undefined,
    'must have the label app.kubernetes.io/version',
  ],
  ['ownPods', `Deployment/gate ${labels}.component`, 'gates', 'does not take its own pods'],
  ['ownPods', `Deployment/reader ${labels}.component`, 'gate', 'takes the pods of Deployment reader'],
  ['ownPods', 'Deployment/gate spec.selector.matchLabels.version', '1', 'must not name version, which changes'],
  ['ownPods', 'StatefulSet/single spec.selector.matchLabels.component', 'gate', 'does not take its own pods'],
  ['servicesLead', 'Service/gate spec.selector.component', 'gates', 'not of 0'],
  ['servicesLead', 'Service/gate spec.selector', {}, 'not of 4'],
  ['servicesLead', 'Service/gate spec.ports.0.targetPort', 'web', 'its port 80 leads to none of its pods'],
  ['volumesMounted', `${gate}.volumeMounts`, [], 'no container mounts the volume key'],
  ['volumesMounted', `${pod}.volumes`, [], 'there is no volume key'],
  ['volumesMounted', 'Deployment/reader spec.template.spec.volumes.0.emptyDir', {}, 'must have a sizeLimit'],
  ['scaling', 'HorizontalPodAutoscaler/gate spec.scaleTargetRef.name', 'gates', 'there is no Deployment gates'],
  ['scaling', 'Deployment/gate spec.replicas', 2, 'must not say replicas'],
  ['scaling', 'ScaledObject/reader spec.minReplicaCount', 0, 'must keep two at least'],
  ['scaling', 'HorizontalPodAutoscaler/gate spec.maxReplicas', 1, 'must not be less than its least'],
  ['consumersHavePartitions', 'ScaledObject/reader spec.maxReplicaCount', 13, 'must not exceed the 12 partitions'],
  [
    'consumersHavePartitions',
    'ScaledObject/reader spec.maxReplicaCount',
    undefined,
    'must not exceed the 12 partitions',
  ],
  [
    'consumersHavePartitions',
    'ScaledObject/reader spec.triggers.0.metadata.topic',
    'dsr.command',
    'there is no topic dsr.command',
  ],
  [
    'budgets',
    'PodDisruptionBudget/gate spec.selector.matchLabels.component',
    'gates',
    'must cover one Deployment, not 0',
  ],
  ['budgets', 'PodDisruptionBudget/gate spec.selector', {}, 'must cover one Deployment, not 2'],
  ['budgets', 'PodDisruptionBudget/gate spec.maxUnavailable', 0, 'must let one of 2 go'],
  ['budgets', 'PodDisruptionBudget/gate spec.maxUnavailable', 2, 'must keep one of 2'],
  [
    'budgets',
    'PodDisruptionBudget/gate spec',
    { minAvailable: 2, selector: { matchLabels: { component: 'gate' } } },
    'must let one of 2 go',
  ],
  ['budgets', 'PodDisruptionBudget/gate spec.maxUnavailable', '50%', 'must let one of 2 go'],
  [
    'budgets',
    'PodDisruptionBudget/gate spec.unhealthyPodEvictionPolicy',
    'IfHealthyBudget',
    'must let pods go that do not work',
  ],
  ['calmUpgrades', 'Deployment/gate spec.strategy.rollingUpdate.maxUnavailable', 1, 'no pod may be missing'],
  ['calmUpgrades', 'Deployment/reader spec.strategy', undefined, 'must have no further pod'],
  ['spread', `${pod}.topologySpreadConstraints`, undefined, 'must be spread by kubernetes.io/hostname'],
  ['spread', `${pod}.topologySpreadConstraints.1.topologyKey`, 'rack', 'must be spread by topology.kubernetes.io/zone'],
  [
    'spread',
    `${pod}.topologySpreadConstraints.0.labelSelector.matchLabels.component`,
    'gates',
    'does not count its own pods',
  ],
  ['oneWriter', 'StatefulSet/single kind', 'Deployment', 'only a StatefulSet may hold the claim data'],
  ['oneWriter', 'StatefulSet/single spec.replicas', 2, 'must have one pod'],
  ['oneWriter', 'StatefulSet/single spec.podManagementPolicy', undefined, 'must not block its replacement'],
  ['oneWriter', 'StatefulSet/single spec.volumeClaimTemplates', [{}], 'must be objects of their own'],
  ['claimsKept', 'PersistentVolumeClaim/data metadata.annotations', {}, 'must stay when the release is uninstalled'],
  [
    'noAdminPort',
    'Ingress/gate spec.rules.0.http.paths.0.backend.service.port.name',
    'admin',
    'must not lead to the admin port of gate',
  ],
  [
    'noAdminPort',
    'Ingress/gate spec.defaultBackend',
    { service: { name: 'gate', port: { number: 9090 } } },
    'must not lead to the admin port of gate',
  ],
  ['noAdminPort', 'HTTPRoute/gate spec.rules.0.backendRefs.0.port', 9090, 'must not lead to the admin port of gate'],
  ['noAdminPort', 'HTTPRoute/gate spec.rules.0.backendRefs.0.name', 'gates', 'which is not there'],
  ['noAdminPort', 'Service/gate spec.type', 'LoadBalancer', 'must not show the admin port outside'],
  [
    'operatorsApart',
    'Ingress/gate spec.rules.0.http.paths.0.backend.service.port.name',
    'operator',
    'a.example must not lead to callers and to operators',
  ],
  [
    'operatorsApart',
    'HTTPRoute/gate spec.rules.0.backendRefs.0.port',
    8083,
    'a.example must not lead to callers and to operators',
  ],
  [
    'operatorsApart',
    'Ingress/gate spec.defaultBackend',
    { service: { name: 'gate', port: { name: 'operator' } } },
    'must lead to operators from a host of their own',
  ],
];

const names = Object.keys(RULES) as RuleName[];

it.each(names)('%s finds nothing wrong where nothing is', (rule) => {
  expect(RULES[rule](good())).toEqual([]);
});

it.each(planted)('%s refuses %s = %j', (rule, place, value, fault) => {
  expect(RULES[rule](broken(place, value))).toContainEqual(expect.stringContaining(fault));
});

it('has seen every rule refuse something', () => {
  expect(names.filter((rule) => !planted.some(([tried]) => tried === rule))).toEqual([]);
});

const FIVE = ['callback-dispatcher', 'gateway', 'ingestion', 'request', 'results'].map((app) => `Deployment ${app}`);

describe.each(GOLDENS)('the chart with %s values', (golden) => {
  it('renders the five services, or standalone alone in place of them', () => {
    const running = goldenObjects(golden)
      .filter(({ kind }) => ['Deployment', 'StatefulSet', 'DaemonSet'].includes(kind))
      .map((object) => nameOf(object).replace('dsr-opendsr-service-', ''));
    expect(running.sort()).toEqual(golden === 'standalone' ? ['StatefulSet standalone'] : FIVE);
  });

  it.each(names)('keeps the rule %s', (rule) => {
    expect(RULES[rule](goldenObjects(golden))).toEqual([]);
  });
});
