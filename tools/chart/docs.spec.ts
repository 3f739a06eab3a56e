import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { repository } from '../e2e/repository';
import { goldenObjects, valuesOf } from './goldens';
import type { Rendering } from './helm';
import { component, manifestsOf, nameOf, ofKind, type Labels, type Manifest } from './manifest';
import { addressOf, flows, ownPods, podOf } from './network/flows';
import { RULES } from './policy/rules';
import { itInFull, representative } from '../testing/form';
import { describeWithHelm, helm } from './testing/with-helm';

const page = readFileSync(repository('docs/kubernetes.md'), 'utf8');
const valuesIn = (text: string) =>
  [...text.matchAll(/```yaml\n([\s\S]*?)```/g)].map(([, yaml = '']) => parse(yaml) as object);
const valuesInDocs = () => valuesIn(page);

function objectsOf(rendering: Rendering): readonly Manifest[] {
  const outcome = helm.template(rendering);
  if (!outcome.ok) throw new Error(outcome.message);
  return manifestsOf(outcome.text);
}

describeWithHelm('docs/kubernetes.md', () => {
  it('shows values that render, keep every rule and accept callers from the ingress', () => {
    const [values] = valuesInDocs();
    const objects = objectsOf({ release: 'opendsr', namespace: 'opendsr', values });
    expect(Object.values(RULES).flatMap((rule) => rule(objects))).toEqual([]);
    expect(objects.map(nameOf)).toEqual(
      expect.arrayContaining(['Deployment opendsr-opendsr-service-gateway', 'Ingress opendsr-opendsr-service']),
    );
    expect(page).toContain('deploy/opendsr-opendsr-service-gateway');
  });

  itInFull('shows values of the console that add its host and its way in, and keep every rule', () => {
    const [values = {}] = valuesInDocs();
    const beside = valuesInDocs().find((one) => 'operatorApi' in one) ?? {};
    const objects = objectsOf({ release: 'opendsr', namespace: 'opendsr', values: { ...values, ...beside } });
    expect(Object.values(RULES).flatMap((rule) => rule(objects))).toEqual([]);
    expect(objects.map(nameOf)).toContain('Ingress opendsr-opendsr-service-operators');
  });

  itInFull('shows values of one pod in production that render and keep every rule', () => {
    const values = valuesInDocs().find((one) => 'standalone' in one);
    const objects = objectsOf({ release: 'opendsr', namespace: 'opendsr', values });
    expect(Object.values(RULES).flatMap((rule) => rule(objects))).toEqual([]);
    expect(objects.map(nameOf)).toEqual(
      expect.arrayContaining([
        'StatefulSet opendsr-opendsr-service-standalone',
        'PersistentVolumeClaim opendsr-opendsr-service-data',
        'Pod opendsr-opendsr-service-test',
      ]),
    );
    for (const name of ['statefulset/opendsr-opendsr-service-standalone', 'logs opendsr-opendsr-service-test'])
      expect(page).toContain(name);
  });
});

describeWithHelm('docs/backup.md', () => {
  const [drill = {}] = valuesIn(readFileSync(repository('docs/backup.md'), 'utf8'));
  const { kafka: _kafka, mongodb: _mongodb, gateway: _gateway, ...inOnePod } = drill as Record<string, object>;
  const outside = [
    addressOf('93.184.215.14'),
    addressOf('2606:2800:21f:cb07::1'),
    addressOf('10.40.0.9'),
    addressOf('10.50.0.7'),
  ];
  const production = [addressOf('10.30.0.5'), podOf('mongodb', '10.244.1.5', 'mongodb', { app: 'mongodb' })];
  const ports = [443, 7380, 8443, 9093, 9443, 27_017].map((number) => ({ number, protocol: 'TCP' }) as const);

  it.each(
    representative([
      ['five services', 'everything', drill],
      ['one pod', 'standalone', inOnePod],
    ] as const),
  )(
    'shows values by which a drill of %s reaches no controller, witness or store of production',
    (_form, golden, values) => {
      const file = valuesOf(golden);
      const before = objectsOf({ files: [file] });
      const objects = objectsOf({ files: [file], values });
      const flowsOf = (of: readonly Manifest[]) =>
        flows(ofKind(of, 'NetworkPolicy'), ownPods(of), [...outside, ...production], ports).filter((flow) =>
          [...outside, ...production].some(({ name }) => flow.includes(`> ${name} `)),
        );
      expect(flowsOf(before)).not.toEqual([]);
      expect(flowsOf(objects)).toEqual([]);
      const text = JSON.stringify(objects);
      expect(text).not.toContain('TRANSPARENCY_WITNESSES');
      expect(text).not.toContain('"secretName":"opendsr-transparency-key"');
      // The API server refuses an exception that is no real part of its range.
      const blocks = ofKind(objects, 'NetworkPolicy').flatMap(({ spec }) =>
        (spec?.egress ?? []).flatMap(({ to = [] }) => to.flatMap(({ ipBlock }) => ipBlock ?? [])),
      );
      const bits = (cidr: string) => Number(cidr.split('/')[1]);
      expect(blocks.filter(({ cidr, except = [] }) => except.some((one) => bits(one) <= bits(cidr)))).toEqual([]);
      expect(
        objects.map(({ kind }) => kind).filter((kind) => /^(Ingress|HTTPRoute|PrometheusRule)$/.test(kind)),
      ).toEqual([]);
    },
  );

  itInFull('ends no generation of the key service in a drill', () => {
    expect(JSON.stringify(objectsOf({ files: [valuesOf('everything')], values: drill }))).toContain(
      '{"name":"KEY_GENERATION_MS","value":"0"}',
    );
  });
});

it('shows upgrades that take the defaults of new values, and wait for as long as a start may take', () => {
  const lines = page.split('\n').filter((line) => line.startsWith('helm upgrade'));
  expect(lines).not.toEqual([]);
  expect(lines.filter((line) => line.includes('--reuse-values') || !/ -f .* --wait --timeout /.test(line))).toEqual([]);
});

it('says in docs/upgrading.md of which services a pod stops before the next one starts', () => {
  const [, named = ''] =
    /^.* Of ([\w, -]+), which no caller reaches directly/m.exec(
      readFileSync(repository('docs/upgrading.md'), 'utf8'),
    ) ?? [];
  const oneStopsFirst = ofKind(goldenObjects('production'), 'Deployment')
    .filter(({ spec }) => spec?.strategy?.rollingUpdate?.maxSurge === 0)
    .map(({ metadata }) => component((metadata?.labels ?? {}) as Labels));
  expect(named.split(/, | and /).sort()).toEqual(oneStopsFirst.sort());
});
