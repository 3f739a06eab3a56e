import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { valuesOf } from './goldens';
import { chartFolder, type Rendering } from './helm';
import { manifestsOf, nameOf, ofKind, workloads, type Manifest } from './manifest';
import { RULES } from './policy/rules';
import { startFaults } from './settings/start-faults';
import { itInFull, representative } from '../testing/form';
import { describeWithHelm, helm } from './testing/with-helm';

const TRIAL = `${chartFolder()}/standalone-values.yaml`;

function render(rendering: Rendering): Manifest[] {
  const outcome = helm.template(rendering);
  if (!outcome.ok) throw new Error(outcome.message);
  return manifestsOf(outcome.text);
}

const inProduction = (values: object) => render({ files: [valuesOf('standalone')], values });
const dataOf = (objects: readonly Manifest[]) =>
  workloads(objects)
    .filter(({ object }) => object.kind === 'StatefulSet')
    .flatMap(({ pod }) => (pod.volumes ?? []).filter(({ name }) => name === 'data'));
const claimSpecs = (objects: readonly Manifest[]) => ofKind(objects, 'PersistentVolumeClaim').map(({ spec }) => spec);

const keyService = { type: 'transit', url: 'https://vault:8200', tokenSecret: { name: 'opendsr-key-service' } };

/** Faulty changes of the values of one pod in production, with their messages. */
const bad: readonly (readonly [what: string, values: object, message: RegExp])[] = [
  [
    'a Kafka',
    { kafka: { brokers: ['kafka:9092'] } },
    /kafka\.brokers: must be empty where standalone\.enabled is true/,
  ],
  ['a MongoDB', { mongodb: { uriSecret: { name: 'm' } } }, /mongodb\.uriSecret\.name: must be empty/],
  ['a token of services', { secrets: { internalToken: { name: 't' } } }, /secrets\.internalToken\.name: must be empty/],
  ['a topics Job', { topicsJob: { enabled: true } }, /topicsJob\.enabled: must be false/],
  [
    'settings of one of the five',
    { results: { settings: { SWEEP_POLL_MS: 5 } } },
    /results\.settings: is not read where/,
  ],
  ['pods of one of the five', { request: { replicas: 3 } }, /request\.replicas: is not read where/],
  ['proxies of the gateway', { gateway: { trustedProxies: [] } }, /gateway\.trustedProxies: is not read where/],
  ['an autoscaler', { ingestion: { autoscaling: { mode: 'hpa' } } }, /ingestion\.autoscaling\.mode: must be none/],
  ['several pods', { standalone: { replicas: 2 } }, /at '\/standalone': additional properties 'replicas' not allowed/],
  [
    'data that goes with the pod',
    { standalone: { persistence: { enabled: false } }, operatorJob: { enabled: false } },
    /standalone\.persistence\.enabled: must be true where defaults\.timingProfile is production/,
  ],
  [
    'an operator’s Job that sees no data',
    { standalone: { persistence: { enabled: false } }, defaults: { timingProfile: 'sandbox' } },
    /operatorJob\.enabled: must be false where standalone\.persistence\.enabled is/,
  ],
  [
    'two claims',
    { standalone: { persistence: { existingClaim: 'mine' } } },
    /standalone\.persistence\.existingClaim: must be empty where volumeName or storageClassName is set/,
  ],
  ['a size without an end', { standalone: { persistence: { size: '' } } }, /at '\/standalone\/persistence\/size'/],
  ['nodes that only read', { standalone: { persistence: { accessModes: ['ReadOnlyMany'] } } }, /accessModes\/0'/],
  ['no master key', { secrets: { masterKey: { name: '' } } }, /secrets\.masterKey\.name: name the Secret/],
  [
    'a key service without a token',
    { keyService: { type: 'transit', url: 'https://vault:8200' } },
    /keyService\.tokenSecret\.name: name the Secret that holds the token/,
  ],
  ['AWS KMS without a region', { keyService: { type: 'aws-kms' } }, /keyService\.region: name the region of the keys/],
  [
    'a token for AWS KMS',
    { keyService: { type: 'aws-kms', region: 'eu-west-1', tokenSecret: { name: 'token' } } },
    /keyService\.type: must be transit where keyService names a token/,
  ],
  ['no certificate', { signing: { v1: { secretName: '' } } }, /signing\.v1\.secretName: name the Secret/],
];

describeWithHelm('one pod', () => {
  it.each(representative(bad, 9))('is refused with %s', (_what, values, message) => {
    const outcome = helm.template({ files: [valuesOf('standalone')], values });
    expect(outcome.ok ? 'is rendered' : outcome.message).toMatch(message);
  });

  it('is refused with what the five services were given, each value in a sentence of its own', () => {
    const outcome = helm.template({ files: [valuesOf('production')], values: { standalone: { enabled: true } } });
    const said = outcome.ok ? [] : outcome.message.split('\n').filter((line) => line.includes('standalone.enabled'));
    expect(said.map((line) => line.split(': ')[0])).toEqual([
      'kafka.brokers',
      'mongodb.uriSecret.name',
      'secrets.internalToken.name',
      'gateway.trustedProxies',
      'ingestion.replicas',
      'ingestion.trustedProxies',
    ]);
  });

  itInFull('makes no use of the CPU of the five services, and refuses a number of their pods', () => {
    const outcome = helm.template({ files: [`${chartFolder()}/large-values.yaml`, TRIAL] });
    expect(outcome).toMatchObject({
      ok: false,
      message: expect.stringContaining('callbackDispatcher.replicas') as string,
    });
    const small = render({ files: [`${chartFolder()}/small-values.yaml`, TRIAL] });
    expect(small).toEqual(render({ files: [TRIAL] }));
  });

  itInFull('needs the proxies of its callers where an Ingress leads to it', () => {
    const outcome = helm.template({
      files: [TRIAL],
      values: { ingress: { enabled: true }, defaults: { trustedProxies: null } },
    });
    expect(outcome).toMatchObject({
      ok: false,
      message: expect.stringContaining('standalone.trustedProxies: name the addresses') as string,
    });
  });

  it('opens its master key by a key service, and may reach it', () => {
    const objects = inProduction({ keyService });
    const [container] = workloads(objects).flatMap(({ object, pod }) =>
      object.kind === 'StatefulSet' ? pod.containers : [],
    );
    const settings = Object.fromEntries((container?.env ?? []).map(({ name, value }) => [name, value]));
    expect(settings).toMatchObject({
      KEY_SERVICE: 'transit',
      KEY_SERVICE_URL: 'https://vault:8200',
      KEY_SERVICE_TOKEN_FILE: '/run/secrets/opendsr/key-service/token',
    });
    const ports = ofKind(objects, 'NetworkPolicy').flatMap(({ spec }) =>
      (spec?.egress ?? []).flatMap((rule) => (rule.ports ?? []).map(({ port }) => port)),
    );
    expect(ports).toContain(8200);
  });

  itInFull('opens its master key by AWS KMS, with the role of its account or with credentials of a Secret', () => {
    const awsKms = { type: 'aws-kms', region: 'eu-west-1' };
    const settingsWith = (values: object) =>
      workloads(inProduction({ keyService: { ...awsKms, ...values } }))
        .flatMap(({ object, pod }) => (object.kind === 'StatefulSet' ? pod.containers : []))
        .flatMap(({ env }) => env ?? [])
        .flatMap(({ name, value }) => (name.startsWith('KEY_SERVICE') ? [`${name} ${value}`] : []))
        .sort();
    const common = ['KEY_SERVICE aws-kms', 'KEY_SERVICE_KEY opendsr', 'KEY_SERVICE_REGION eu-west-1'];
    expect(settingsWith({})).toEqual(common);
    expect(settingsWith({ credentialsSecret: { name: 'aws' } })).toEqual([
      common[0],
      'KEY_SERVICE_CREDENTIALS_FILE /run/secrets/opendsr/key-service-credentials/credentials',
      ...common.slice(1),
    ]);
  });

  itInFull('has a claim that asks for what the values say, and grows with them', () => {
    const [spec] = claimSpecs(inProduction({ standalone: { persistence: { size: '80Gi', volumeName: 'disk' } } }));
    expect(spec).toEqual({
      accessModes: ['ReadWriteOnce'],
      storageClassName: 'fast',
      volumeName: 'disk',
      resources: { requests: { storage: '80Gi' } },
    });
  });

  it.each(
    representative([
      ['the default, which is not named', null, undefined],
      ['none, for a volume that is named', '', ''],
    ]),
  )('has a claim of the storage class that is %s', (_what, storageClassName, rendered) => {
    const [spec] = claimSpecs(inProduction({ standalone: { persistence: { storageClassName } } }));
    expect(spec?.storageClassName).toBe(rendered);
  });

  itInFull('takes a claim that is there already, and makes none', () => {
    const objects = inProduction({ standalone: { persistence: { existingClaim: 'mine', storageClassName: null } } });
    expect(claimSpecs(objects)).toEqual([]);
    expect(dataOf(objects)).toEqual([{ name: 'data', persistentVolumeClaim: { claimName: 'mine' } }]);
  });

  itInFull('may belong to a release of any name: the label that Kubernetes makes of its own has room', () => {
    const objects = render({ files: [valuesOf('standalone')], release: `r${'x'.repeat(51)}1` });
    const hash = '-0123456789';
    expect(objects.map(({ metadata }) => metadata.name ?? '').filter((name) => name.length > 63)).toEqual([]);
    expect(ofKind(objects, 'StatefulSet').map(({ metadata }) => `${metadata?.name}${hash}`.length <= 63)).toEqual([
      true,
    ]);
    expect(Object.values(RULES).flatMap((rule) => rule(objects))).toEqual([]);
  });

  itInFull('is reached by one host for version 2 and ingestion where both are the same', () => {
    const [ingress] = ofKind(inProduction({ ingress: { hosts: { ingestion: 'opendsr.example.com' } } }), 'Ingress');
    expect(ingress?.spec?.rules?.map(({ host }) => host)).toEqual(['opendsr.example.com', 'opengdpr.example.com']);
  });

  itInFull('is led to by HTTPRoutes as by an Ingress', () => {
    const routes = ofKind(
      inProduction({ ingress: { enabled: false }, gatewayApi: { enabled: true, parentRefs: [{ name: 'g' }] } }),
      'HTTPRoute',
    );
    expect(routes.map(({ spec }) => spec?.rules?.[0]?.backendRefs?.map(({ name, port }) => [name, port]))).toEqual([
      [['dsr-opendsr-service-standalone', 8080]],
      [['dsr-opendsr-service-standalone', 8081]],
    ]);
  });
});

describeWithHelm('the values of a trial in one pod', () => {
  let root: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'opendsr-trial-'));
  });
  afterEach(() => {
    rmSync(root, { recursive: true, force: true });
  });

  it('need nothing beside them: no store, no secret, no volume', () => {
    const objects = render({ files: [TRIAL] });
    expect(objects.map(nameOf).filter((name) => /Deployment|Job|Autoscaler|Budget|Claim/.test(name))).toEqual([]);
    expect(dataOf(objects)).toEqual([{ name: 'data', emptyDir: { sizeLimit: '1Gi' } }]);
    expect(workloads(objects).flatMap(({ pod }) => (pod.volumes ?? []).map(({ name }) => name))).toEqual(['data']);
  });

  it('keep every rule, and start the app', () => {
    const objects = render({ files: [TRIAL] });
    expect(Object.values(RULES).flatMap((rule) => rule(objects))).toEqual([]);
    expect(
      workloads(objects).flatMap((workload) =>
        workload.pod.containers.flatMap((container) => startFaults(workload, container, { root, pem: '' })),
      ),
    ).toEqual([]);
  });

  itInFull('need a sealed master key with a key service, which opens none that the app makes', () => {
    const outcome = helm.template({ files: [TRIAL], values: { keyService } });
    expect(outcome).toMatchObject({
      ok: false,
      message: expect.stringContaining(
        'secrets.masterKey.name: name the Secret that holds the master key as the key service has sealed it',
      ) as string,
    });
    expect(
      helm.template({ files: [TRIAL], values: { keyService, secrets: { masterKey: { name: 'sealed' } } } }).ok,
    ).toBe(true);
  });

  itInFull('take a volume in place of what goes with the pod, and secrets in place of those that the app makes', () => {
    const objects = render({
      files: [TRIAL],
      values: {
        standalone: { persistence: { enabled: true } },
        secrets: { masterKey: { name: 'opendsr-master-key' } },
        signing: { v2: { secretName: 'opendsr-signing-v2' } },
      },
    });
    expect(claimSpecs(objects)).toHaveLength(1);
    expect(
      workloads(objects).flatMap(({ pod }) => (pod.volumes ?? []).flatMap(({ secret }) => secret?.secretName ?? [])),
    ).toEqual(['opendsr-master-key', 'opendsr-signing-v2']);
  });
});
