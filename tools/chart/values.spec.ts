import { goldenText, valuesOf } from './goldens';
import { manifestsOf, ofKind, workloads, type Manifest } from './manifest';
import { itInFull, representative } from '../testing/form';
import { describeWithHelm, helm } from './testing/with-helm';

const secret = 'mongodb://user:hunter2@mongodb';
const keda = (autoscaling: object) => ({ request: { autoscaling: { mode: 'keda', ...autoscaling } } });
const both = (entrance: object) => ({
  gateway: { serveV1: true, baseUrlV1: 'https://opengdpr.example.com' },
  signing: { processorDomainV1: 'opengdpr.example.com', v1: { secretName: 's' } },
  ...entrance,
});
/** Faulty changes of the minimal values, with their messages. */
const bad: readonly (readonly [what: string, values: object, message: RegExp])[] = [
  ['an unknown key at the root', { gatway: {} }, /additional properties 'gatway' not allowed/],
  ['one of an app', { gateway: { replica: 3 } }, /at '\/gateway': additional properties 'replica' not allowed/],
  ['one of all apps', { defaults: { loglevel: 'info' } }, /at '\/defaults': additional properties 'loglevel'/],
  [
    'one deep inside',
    { kafka: { tls: { caSecret: { file: 'ca.crt' } } } },
    /at '\/kafka\/tls\/caSecret': additional properties 'file'/,
  ],
  ['one of the image', { image: { version: '1' } }, /at '\/image': additional properties 'version'/],
  [
    'one of how pods stop',
    { results: { stop: { drainSeconds: 5 } } },
    /at '\/results\/stop': additional properties 'drainSeconds'/,
  ],
  ['one of autoscaling', { gateway: { autoscaling: { lagThreshold: 5 } } }, /additional properties 'lagThreshold'/],
  ['one of the policies', { networkPolicy: { ingress: [] } }, /at '\/networkPolicy': additional properties 'ingress'/],
  ['one of monitoring', { monitoring: { serviceMonitor: { path: '/' } } }, /additional properties 'path'/],
  ['one of the Job', { topicsJob: { hook: true } }, /at '\/topicsJob': additional properties 'hook'/],
  ['an operator’s Job that does nothing', { operatorJob: { args: [] } }, /at '\/operatorJob\/args': minItems/],
  [
    'a folder for its scratch store without an end',
    { operatorJob: { scratchSize: '' } },
    /at '\/operatorJob\/scratchSize'/,
  ],
  ['a connection string in the values', { mongodb: { uri: secret } }, /at '\/mongodb': additional properties 'uri'/],
  [
    'a password in the values',
    { kafka: { sasl: { password: 'hunter2' } } },
    /at '\/kafka\/sasl': additional properties 'password'/,
  ],
  [
    'a key in the values',
    { secrets: { masterKey: { value: 'hunter2' } } },
    /at '\/secrets\/masterKey': additional properties 'value'/,
  ],
  [
    'a setting that an app does not read',
    { request: { settings: { CALLBACK_CONCURRENCY: 5 } } },
    /at '\/request\/settings': additional properties 'CALLBACK_CONCURRENCY'/,
  ],
  [
    'an operator’s API without a provider',
    { operatorApi: { enabled: true } },
    /operatorApi\.url: say[^]*operatorApi\.oidc\.issuer: must be set[^]*operatorApi\.roles: say[^]*networkPolicy\.operatorsFrom: name/,
  ],
  ['a role that there is not', { operatorApi: { roles: ['dsr-admins=root'] } }, /at '\/operatorApi\/roles\/0'/],
  [
    'the secret of a client in the values',
    { operatorApi: { oidc: { clientSecret: { value: 'hunter2' } } } },
    /at '\/operatorApi\/oidc\/clientSecret': additional properties 'value'/,
  ],
  ['an unused setting', { gateway: { settings: { NO_SUCH: 5 } } }, /additional properties 'NO_SUCH'/],
  [
    'a setting with another value of its own',
    { gateway: { settings: { RESULTS_URL: 'http://x' } } },
    /additional properties 'RESULTS_URL'/,
  ],
  [
    'a secret as a further variable',
    { gateway: { extraEnv: [{ name: 'MONGODB_URI', value: secret }] } },
    /gateway\.extraEnv: MONGODB_URI is a secret/,
  ],
  [
    'a further variable that the chart sets',
    { gateway: { extraEnv: [{ name: 'RESULTS_URL', value: 'http://x' }] } },
    /gateway\.extraEnv: RESULTS_URL is set by the chart/,
  ],
  [
    'pods that cannot be replaced',
    { gateway: { rollingUpdate: { maxSurge: 0 } } },
    /gateway\.rollingUpdate: maxSurge and maxUnavailable must not both be 0/,
  ],
  [
    'an upgrade that takes all pods away',
    { results: { rollingUpdate: { maxUnavailable: 2 } } },
    /results\.rollingUpdate\.maxUnavailable: must be less than 2/,
  ],
  [
    'a liveness probe that kills the busy',
    { defaults: { probes: { liveness: { periodSeconds: 10 } } } },
    /gateway\.probes\.liveness: periodSeconds times failureThreshold must be 120 s or more/,
  ],
  ['no pods', { request: { replicas: 0 } }, /at '\/request\/replicas': minimum: got 0, want 1/],
  [
    'a number of pods that an autoscaler decides',
    { gateway: { replicas: 5 } },
    /gateway\.replicas: has no effect where gateway\.autoscaling\.mode is hpa/,
  ],
  ['half a pod', { request: { replicas: 1.5 } }, /at '\/request\/replicas': got number, want integer/],
  ['a number as a word', { request: { replicas: '2' } }, /at '\/request\/replicas': got string, want integer/],
  ['a word for a boolean', { gateway: { serveV1: 'yes' } }, /at '\/gateway\/serveV1': got string, want boolean/],
  ['an image of no version', { image: { tag: 'latest' } }, /at '\/image\/tag'/],
  ['a digest that is none', { image: { digest: 'sha256:abc' } }, /at '\/image\/digest'/],
  ['a level of the log that is none', { defaults: { logLevel: 'loud' } }, /at '\/defaults\/logLevel'/],
  [
    'a grace that is shorter than the drain',
    { callbackDispatcher: { stop: { gracePeriodSeconds: 30 } } },
    /callbackDispatcher\.stop\.gracePeriodSeconds: must be more than 35/,
  ],
  [
    'a grace that leaves out the delay',
    { request: { stop: { delaySeconds: 20, gracePeriodSeconds: 50 } } },
    /request\.stop\.gracePeriodSeconds: must be more than 50/,
  ],
  [
    'no delay, which would break calls on kept connections',
    { gateway: { stop: { delaySeconds: 0 } } },
    /at '\/gateway\/stop\/delaySeconds': minimum: got 0, want 1/,
  ],
  [
    'a start that outlasts what Kubernetes gives a rollout',
    { request: { startTimeoutSeconds: 501 } },
    /at '\/request\/startTimeoutSeconds': maximum/,
  ],
  [
    'the same for all',
    { defaults: { stop: { preStopSeconds: 20, gracePeriodSeconds: 40 } } },
    /results\.stop\.gracePeriodSeconds: must be more than 50/,
  ],
  [
    'a budget that keeps no pod',
    { request: { podDisruptionBudget: { maxUnavailable: 2 } } },
    /request\.podDisruptionBudget\.maxUnavailable: must be less than 2/,
  ],
  [
    'more consumers than partitions',
    keda({ maxReplicas: 13 }),
    /request\.autoscaling\.maxReplicas: must not be more than 12/,
  ],
  ['a scale that goes to nothing', keda({ minReplicas: 0 }), /at '\/request\/autoscaling\/minReplicas'/],
  [
    'a fallback beyond the most',
    keda({ fallbackReplicas: 20 }),
    /request\.autoscaling\.fallbackReplicas: must lie between/,
  ],
  [
    'less at the most than at the least',
    { gateway: { autoscaling: { minReplicas: 5, maxReplicas: 3 } } },
    /gateway\.autoscaling\.minReplicas: must not be more than maxReplicas/,
  ],
  [
    'the lag of what consumes nothing by lag',
    { callbackDispatcher: { autoscaling: { mode: 'keda' } } },
    /at '\/callbackDispatcher\/autoscaling\/mode'/,
  ],
  ['no brokers', { kafka: { brokers: [] } }, /kafka\.brokers: name at least one broker/],
  ['a broker without a port', { kafka: { brokers: ['kafka'] } }, /at '\/kafka\/brokers\/0'/],
  ['no MongoDB', { mongodb: { uriSecret: { name: '' } } }, /mongodb\.uriSecret\.name: name the Secret/],
  ['no master key', { secrets: { masterKey: { name: '' } } }, /secrets\.masterKey\.name: name the Secret/],
  ['no token', { secrets: { internalToken: { name: '' } } }, /secrets\.internalToken\.name: name the Secret/],
  ['no log key', { secrets: { transparencyKey: { name: '' } } }, /secrets\.transparencyKey\.name: name the Secret/],
  ['no certificate', { signing: { v2: { secretName: '' } } }, /signing\.v2\.secretName: name the Secret/],
  ['no domain', { signing: { processorDomainV2: '' } }, /signing\.processorDomainV2: say for which domain/],
  ['no public address', { gateway: { baseUrlV2: '' } }, /gateway\.baseUrlV2: say under which public address/],
  [
    'version 1 without what it needs',
    { gateway: { serveV1: true } },
    /gateway\.baseUrlV1: .+\n.*signing\.processorDomainV1: .+\n.*signing\.v1\.secretName: /,
  ],
  ['an address that is none', { gateway: { baseUrlV2: 'opendsr.example.com' } }, /at '\/gateway\/baseUrlV2'/],
  [
    'more copies that must be than there are',
    { kafka: { replication: 1 } },
    /kafka\.minIsr: must not be more than kafka\.replication/,
  ],
  ['an authority without TLS', { kafka: { tls: { caSecret: { name: 'ca' } } } }, /kafka\.tls\.enabled: must be true/],
  ['a mechanism that is none', { kafka: { sasl: { mechanism: 'gssapi' } } }, /at '\/kafka\/sasl\/mechanism'/],
  [
    'a mechanism without a user and a password',
    { kafka: { sasl: { mechanism: 'scram-sha-512' } } },
    /kafka\.sasl\.username: must be set[^]+kafka\.sasl\.passwordSecret\.name: name the Secret/,
  ],
  ['a user without a mechanism', { kafka: { sasl: { username: 'u' } } }, /kafka\.sasl\.mechanism: must be set/],
  [
    'a password without a mechanism',
    { kafka: { sasl: { passwordSecret: { name: 's' } } } },
    /kafka\.sasl\.mechanism: must be set/,
  ],
  [
    'a password as it is without TLS',
    { kafka: { sasl: { mechanism: 'plain', username: 'u', passwordSecret: { name: 's' } } } },
    /kafka\.sasl\.mechanism: plain sends the password as it is/,
  ],
  [
    'two places for one host',
    both({ ingress: { enabled: true, hosts: { ingestion: 'opendsr.example.com' } } }),
    /ingress\.hosts: each must lead to one place/,
  ],
  [
    'a public address with a path behind an Ingress',
    { gateway: { baseUrlV2: 'https://example.com/dsr' }, ingress: { enabled: true } },
    /gateway\.baseUrlV2: must have no path/,
  ],
  ['a route to nowhere', { gatewayApi: { enabled: true } }, /gatewayApi\.parentRefs: name the Gateway/],
  [
    'version 1 on the host of version 2 though it has one of its own',
    both({ ingress: { enabled: true, hosts: { v1: 'opendsr.example.com' } } }),
    /ingress\.hosts\.v1: must differ from v2/,
  ],
  [
    'callers without their way into the cluster',
    { ingress: { enabled: true } },
    /gateway\.trustedProxies: name the addresses/,
  ],
  [
    'the same by the Gateway API',
    { gatewayApi: { enabled: true, parentRefs: [{ name: 'g' }] } },
    /gateway\.trustedProxies: name the addresses/,
  ],
  [
    'the same for ingestion, if it is reachable',
    { gateway: { trustedProxies: [] }, ingress: { enabled: true, hosts: { ingestion: 'ingest.example.com' } } },
    /ingestion\.trustedProxies: name the addresses/,
  ],
  [
    'a ServiceMonitor that the policies block',
    { monitoring: { serviceMonitor: { enabled: true } } },
    /networkPolicy\.monitoringFrom: name the pods of Prometheus/,
  ],
  [
    'neither requests nor limits',
    { defaults: { resources: { requests: { cpu: null, memory: null }, limits: { cpu: null, memory: null } } } },
    /results\.resources\.requests\.cpu: must be set.+\n.+requests\.memory: must.+\n.+limits\.cpu: must.+\n.+limits\.memory: must/,
  ],
  [
    'no CPU for the autoscaler to measure by',
    { gateway: { autoscaling: { mode: 'hpa' }, resources: { requests: { cpu: 0 } } } },
    /gateway\.resources\.requests\.cpu: must be set/,
  ],
  [
    'a topics Job without a limit',
    { topicsJob: { resources: { limits: { memory: null } } } },
    /topicsJob\.resources\.limits\.memory: must be set/,
  ],
  [
    'an operator’s Job without a limit',
    { operatorJob: { resources: { limits: { memory: null } } } },
    /operatorJob\.resources\.limits\.memory: must be set/,
  ],
  [
    'a test pod without a limit',
    { helmTest: { resources: { limits: { cpu: null } } } },
    /helmTest\.resources\.limits\.cpu: must be set/,
  ],
  [
    'a range that is none',
    { networkPolicy: { callbackEgress: { except: ['private'] } } },
    /at '\/networkPolicy\/callbackEgress\/except\/0'/,
  ],
];

describeWithHelm('values', () => {
  it.each(representative(bad, 9))('are refused with %s', (_what, values, message) => {
    const outcome = helm.template({ files: [valuesOf('minimal')], values });
    expect(outcome.ok ? 'is rendered' : outcome.message).toMatch(message);
  });

  it.each([
    ['of an app that nothing scales', { gateway: { replicas: 5, autoscaling: { mode: 'none' } } }],
    ['of all apps, some of which are scaled', { defaults: { replicas: 5 } }],
  ])('may name the number of pods %s', (_what, values) => {
    expect(helm.template({ files: [valuesOf('minimal')], values })).toMatchObject({ ok: true });
  });

  it('are reported as missing all at once', () => {
    const outcome = helm.template({});
    const missing = [
      'kafka.brokers',
      'mongodb.uriSecret.name',
      'gateway.baseUrlV2',
      'gateway.baseUrlV1',
      'signing.processorDomainV2',
      'signing.v2.secretName',
      'signing.v1.secretName',
      'secrets.masterKey.name',
      'secrets.internalToken.name',
      'secrets.transparencyKey.name',
    ];
    expect(outcome).toMatchObject({ ok: false });
    expect(missing.filter((name) => outcome.ok || !outcome.message.includes(`${name}: `))).toEqual([]);
  });
});

/** A `false` in the values of an app, or on the command line, over a `true` from before, and what must be gone then. */
const switches: readonly (readonly [what: string, values: object, gone: (text: string) => boolean])[] = [
  [
    'gateway.serveV1',
    { gateway: { serveV1: false } },
    (text) => !/signing-v1|PORT_V1|http-v1/.test(text) && text.includes('name: SERVE_V1\n              value: "false"'),
  ],
  [
    'defaults.podDisruptionBudget.enabled',
    { defaults: { podDisruptionBudget: { enabled: false } } },
    (text) => !text.includes('kind: PodDisruptionBudget'),
  ],
  [
    'gateway.podDisruptionBudget.enabled',
    { gateway: { podDisruptionBudget: { enabled: false } } },
    (text) =>
      ofKind(manifestsOf(text), 'PodDisruptionBudget').every(({ metadata }) => !metadata?.name?.endsWith('-gateway')),
  ],
  [
    'kafka.tls.enabled',
    { kafka: { tls: { enabled: false, caSecret: { name: '' }, clientCertSecret: { name: '' } } } },
    (text) => !text.includes('KAFKA_TLS'),
  ],
  [
    'topicsJob.enabled',
    { topicsJob: { enabled: false } },
    (text) =>
      manifestsOf(text).every(({ kind, metadata }) => kind !== 'Job' || metadata.name === undefined) &&
      !text.includes('OpenDSRTopicsJobFailed'),
  ],
  ['operatorJob.enabled', { operatorJob: { enabled: false } }, (text) => !text.includes('generateName')],
  ['networkPolicy.enabled', { networkPolicy: { enabled: false } }, (text) => !text.includes('kind: NetworkPolicy')],
  ['helmTest.enabled', { helmTest: { enabled: false } }, (text) => !text.includes('helm.sh/hook')],
  [
    'gatewayApi.enabled',
    { gatewayApi: { enabled: false } },
    (text) => ofKind(manifestsOf(text), 'HTTPRoute').every(({ metadata }) => metadata?.name?.endsWith('-operators')),
  ],
  [
    'monitoring.serviceMonitor.enabled',
    { monitoring: { serviceMonitor: { enabled: false } } },
    (text) => !text.includes('kind: ServiceMonitor'),
  ],
  [
    'monitoring.prometheusRule.enabled',
    { monitoring: { prometheusRule: { enabled: false } } },
    (text) => !text.includes('kind: PrometheusRule'),
  ],
  ['serviceAccount.create', { serviceAccount: { create: false } }, (text) => !text.includes('kind: ServiceAccount')],
];

describeWithHelm('a false over a true', () => {
  it.each(representative(switches, 6))('takes away what %s brings', (_what, values, gone) => {
    const outcome = helm.template({ files: [valuesOf('everything')], values });
    expect([gone(goldenText('everything')), outcome.ok ? gone(outcome.text) : outcome.message]).toEqual([false, true]);
  });

  itInFull('takes away the Ingress', () => {
    const outcome = helm.template({ files: [valuesOf('production')], values: { ingress: { enabled: false } } });
    expect(
      [goldenText('production'), outcome.ok && outcome.text].map((text) => text && text.includes('kind: Ingress')),
    ).toEqual([true, false]);
  });

  it('and a 0 over a number are what an app has said, not what all have', () => {
    const outcome = helm.template({
      files: [valuesOf('minimal')],
      values: {
        defaults: { replicas: 4 },
        request: { replicas: 1 },
        results: { settings: { CALLBACK_SPREAD_MS: 0 } },
        ingestion: { settings: { INGEST_KEY_ONLY: false } },
      },
    });
    const env = workloads(manifestsOf(outcome.ok ? outcome.text : '')).flatMap(({ pod, object }) =>
      pod.containers.flatMap((container) =>
        (container.env ?? []).map(({ name, value }) => `${object.metadata.name} ${name}=${value}`),
      ),
    );
    expect(env).toEqual(
      expect.arrayContaining([
        'dsr-opendsr-service-results CALLBACK_SPREAD_MS=0',
        'dsr-opendsr-service-ingestion INGEST_KEY_ONLY=false',
      ]),
    );
    expect(
      ofKind(manifestsOf(outcome.ok ? outcome.text : ''), 'Deployment').map(({ metadata, spec }) => [
        metadata?.name?.replace('dsr-opendsr-service-', ''),
        spec?.replicas,
      ]),
    ).toEqual(
      expect.arrayContaining([
        ['request', 1],
        ['results', 4],
      ]),
    );
  });
});

/** The objects of the minimal values and these. */
function rendered(values: object): Manifest[] {
  const outcome = helm.template({ files: [valuesOf('minimal')], values });
  if (!outcome.ok) throw new Error(outcome.message);
  return manifestsOf(outcome.text);
}

describeWithHelm('what is rendered', () => {
  it('keeps the decimals of a setting that is a share, and all digits of a large one', () => {
    const settings = { OTEL_TRACES_SAMPLER_ARG: 0.05, OTEL_BSP_MAX_QUEUE_SIZE: 1_000_000, RELAY_POLL_MS: 1200 };
    const [pod] = workloads(rendered({ gateway: { settings } })).map((workload) => workload.pod);
    const env = Object.fromEntries((pod?.containers[0]?.env ?? []).map(({ name, value }) => [name, value]));
    const texts = Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, String(value)]));
    expect(env).toMatchObject(texts);
    expect(() => rendered({ gateway: { settings: { RELAY_POLL_MS: 1200.5 } } })).toThrow('RELAY_POLL_MS');
  });

  itInFull('runs as the account `default` where none is made and none is named', () => {
    const accounts = workloads(rendered({ serviceAccount: { create: false }, topicsJob: { enabled: true } })).map(
      ({ pod }) => pod.serviceAccountName,
    );
    expect([accounts.length, new Set(accounts)]).toEqual([7, new Set(['default'])]);
  });

  it('opens an address that callbacks may reach by itself, and no range around it', () => {
    const policies = ofKind(
      rendered({ callbackDispatcher: { allowCidrs: ['10.40.0.9', 'fd00:40::9', '10.41.0.0/16'] } }),
      'NetworkPolicy',
    );
    const open = policies.flatMap(({ spec }) =>
      (spec?.egress ?? []).flatMap(({ to = [] }) =>
        to.flatMap(({ ipBlock }) => (ipBlock && !ipBlock.except ? [ipBlock.cidr] : [])),
      ),
    );
    expect(open).toEqual(['10.40.0.9/32', 'fd00:40::9/128', '10.41.0.0/16']);
  });

  itInFull(
    'leads a further host of version 1 to the port of both versions where their public addresses share one',
    () => {
      const shared = both({ ingress: { enabled: true, hosts: { v1: 'opengdpr.example.com' } } });
      const [ingress] = ofKind(
        rendered({
          ...shared,
          gateway: { serveV1: true, baseUrlV1: 'https://opendsr.example.com', trustedProxies: [] },
        }),
        'Ingress',
      );
      expect(
        ingress?.spec?.rules?.map(({ host, http }) => [host, http?.paths[0]?.backend.service?.port?.name]),
      ).toEqual([
        ['opendsr.example.com', 'http'],
        ['opengdpr.example.com', 'http'],
      ]);
    },
  );

  itInFull('takes an empty list of proxies for said', () => {
    expect(
      ofKind(
        rendered({
          defaults: { trustedProxies: [] },
          ingress: { enabled: true, hosts: { ingestion: 'ingest.example.com' } },
        }),
        'Ingress',
      ),
    ).toHaveLength(1);
  });

  it('gives a pod the sum of what its stop takes, and 10 s', () => {
    const [pod] = workloads(
      rendered({ defaults: { stop: { preStopSeconds: 7, delaySeconds: 11, timeoutSeconds: 13 } } }),
    ).map((workload) => workload.pod);
    expect(pod?.terminationGracePeriodSeconds).toBe(7 + 11 + 13 + 10);
    expect(pod?.containers[0]?.env).toEqual(
      expect.arrayContaining([
        { name: 'STOP_DELAY_MS', value: '11000' },
        { name: 'STOP_TIMEOUT_MS', value: '13000' },
      ]),
    );
  });
});
