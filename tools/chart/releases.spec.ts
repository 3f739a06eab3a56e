import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { valuesOf } from './goldens';
import { chartFolder, type Rendering } from './helm';
import { manifestsOf, nameOf, ofKind, workloads, type Manifest } from './manifest';
import { RULES } from './policy/rules';
import { selects, type Selector } from './policy/selects';
import { itInFull, representative } from '../testing/form';
import { describeWithHelm, helm } from './testing/with-helm';

const files = [valuesOf('everything')];

function render(rendering: Rendering): Manifest[] {
  const outcome = helm.template(rendering);
  if (!outcome.ok) throw new Error(outcome.message);
  return manifestsOf(outcome.text);
}

const faults = (objects: readonly Manifest[]) => Object.values(RULES).flatMap((rule) => rule(objects));
const names = (objects: readonly Manifest[]) => objects.map(nameOf);
const tooLong = (objects: readonly Manifest[]) => [
  ...names(objects).filter((name) => (name.split(' ')[1] ?? '').length > 63),
  ...objects
    .flatMap((object) => [object.metadata.labels ?? {}, ...workloads([object]).map(({ labels }) => labels)])
    .flatMap((labels) => Object.values(labels))
    .filter((value) => value.length > 63),
];

describeWithHelm('a release', () => {
  it.each(
    representative([
      ['both', { nameOverride: 'dsr', fullnameOverride: 'privacy' }, 'privacy-gateway'],
      ['nameOverride', { nameOverride: 'privacy' }, 'dsr-privacy-gateway'],
      ['fullnameOverride', { fullnameOverride: 'privacy' }, 'privacy-gateway'],
    ]),
  )('is named by %s, and keeps every rule', (_what, values, gateway) => {
    const objects = render({ files, values });
    expect(names(objects)).toContain(`Deployment ${gateway}`);
    expect(faults(objects)).toEqual([]);
  });

  itInFull('may have a name of 53 characters, the most that helm takes', () => {
    const objects = render({ files, release: `r${'x'.repeat(51)}1` });
    expect(tooLong(objects)).toEqual([]);
    expect(faults(objects)).toEqual([]);
  });

  it.each(
    representative([
      ['53 characters that differ in the last', `${'x'.repeat(52)}a`, `${'x'.repeat(52)}b`],
      ['short', 'a', 'b'],
    ]),
  )('shares no name and no pod with another in its namespace: %s', (_what, one, other) => {
    // The file contains the names of the account and of the further object.
    const values = { serviceAccount: { name: '' }, extraObjects: [] };
    const [a, b] = [render({ files, values, release: one }), render({ files, values, release: other })];
    expect(names(a).filter((name) => names(b).includes(name))).toEqual([]);
    expect(faults([...a, ...b])).toEqual([]);
    const monitors = ofKind(a, 'ServiceMonitor').map(({ spec }) => spec?.selector as Selector);
    expect(
      monitors.map((selector) =>
        ofKind(b, 'Service').filter(({ metadata }) => selects(selector, metadata?.labels ?? {})),
      ),
    ).toEqual([[]]);
  });

  itInFull('is in the namespace of the release', () => {
    expect(new Set(render({ files, namespace: 'elsewhere' }).map(({ metadata }) => metadata.namespace))).toEqual(
      new Set(['elsewhere']),
    );
  });

  itInFull('makes another topics Job for another image and none for the same, because a Job cannot be changed', () => {
    const job = (values: object) => names(render({ files, values })).find((name) => /^Job .+-topics-/.test(name));
    expect(job({})).toBe(job({ gateway: { settings: { PUBLISH_WAIT_MS: 200 } } }));
    expect(job({ image: { tag: '0.2.0' } })).not.toBe(job({}));
  });

  it('runs the operator’s tool by one Job that is shown alone, each word of its arguments as text, and keeps every rule', () => {
    const only = 'templates/operator-job.yaml';
    const shown = render({
      files: [valuesOf('production')],
      values: { operatorJob: { enabled: true, args: ['parked', 'redrive', '--all', '--wait', 60] } },
      only,
    });
    expect(shown.map(nameOf)).toEqual(['Job dsr-opendsr-service-operator-']);
    expect(workloads(shown).flatMap(({ pod }) => pod.containers.map(({ args }) => args))).toEqual([
      ['dsr', 'parked', 'redrive', '--all', '--wait', '60'],
    ]);
    expect(faults(shown)).toEqual([]);
  });

  itInFull('mounts a claim at /state for what one run of the tool keeps for the next, where one is named', () => {
    const only = 'templates/operator-job.yaml';
    const job = (stateClaim: string) =>
      workloads(render({ files, values: { operatorJob: { enabled: true, stateClaim } }, only })).map(({ pod }) => ({
        claims: (pod.volumes ?? []).flatMap(({ persistentVolumeClaim }) => persistentVolumeClaim?.claimName ?? []),
        paths: pod.containers.flatMap(({ volumeMounts = [] }) => volumeMounts.map(({ mountPath }) => mountPath)),
      }));
    expect(job('auditor')).toEqual([{ claims: ['auditor'], paths: expect.arrayContaining(['/state']) as string[] }]);
    expect(job('')).toEqual([{ claims: [], paths: expect.not.arrayContaining(['/state']) as string[] }]);
  });

  itInFull('gives dsr the waiting times of the gateway, from which it computes when keys are due', () => {
    const settings = { gateway: { settings: { REQUEST_KEY_KEEP_MS: '21d' } }, operatorJob: { enabled: true } };
    const env = workloads(render({ files, values: settings, only: 'templates/operator-job.yaml' })).flatMap(({ pod }) =>
      pod.containers.flatMap((container) => container.env ?? []),
    );
    expect(env).toEqual(
      expect.arrayContaining([
        { name: 'REQUEST_KEY_KEEP_MS', value: '21d' },
        { name: 'TIMING_PROFILE', value: 'production' },
        { name: 'CALLBACK_CONCURRENCY', value: '128' },
      ]),
    );
  });
});

describeWithHelm('an umbrella chart', () => {
  let chart: string;
  beforeAll(() => {
    chart = mkdtempSync(join(tmpdir(), 'opendsr-umbrella-'));
    cpSync(join(chartFolder(), 'ci/umbrella'), chart, { recursive: true });
    cpSync(chartFolder(), join(chart, 'charts/opendsr-service'), { recursive: true });
  });
  afterAll(() => {
    rmSync(chart, { recursive: true, force: true });
  });

  const privacy = parse(readFileSync(valuesOf('everything'), 'utf8')) as object;

  it('brings the chart under a name of its own, with values that are for all', () => {
    const objects = render({ chart, values: { privacy } });
    expect(names(objects)).toContain('Deployment dsr-privacy-gateway');
    expect(faults(objects)).toEqual([]);
  });

  itInFull('leaves it out by its condition', () => {
    expect(render({ chart, values: { privacy: { ...privacy, enabled: false } } })).toEqual([]);
  });

  itInFull('is refused for a value that the chart does not know', () => {
    expect(helm.template({ chart, values: { privacy: { ...privacy, gatway: {} } } })).toMatchObject({
      ok: false,
      message: expect.stringContaining("additional properties 'gatway' not allowed") as string,
    });
  });
});
