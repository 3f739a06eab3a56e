import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repository } from '../../e2e/repository';
import { goldenObjects } from '../goldens';
import { ofKind, type Manifest } from '../manifest';
import { selects, type Selector } from '../policy/selects';
import { declared, isOurs, knownSeries, seriesOf } from '../../monitoring/declared/declared';
import { faultsOf } from './expression-faults';
import { WITHOUT_ALERT } from './without-alert';
import { readExpression } from './promql';

/** Metrics of others: Prometheus reports whether a target is up, kube-state-metrics the state of the cluster. */
const [deployment, scaler] = [
  ['namespace', 'deployment'],
  ['namespace', 'horizontalpodautoscaler'],
];
const OF_OTHERS: Readonly<Record<string, readonly string[]>> = {
  up: [],
  kube_deployment_spec_replicas: deployment,
  kube_deployment_status_replicas_available: deployment,
  kube_statefulset_status_replicas_ready: ['namespace', 'statefulset'],
  kube_pod_container_status_restarts_total: ['namespace', 'pod', 'container'],
  kube_horizontalpodautoscaler_spec_max_replicas: scaler,
  kube_horizontalpodautoscaler_spec_min_replicas: scaler,
  kube_horizontalpodautoscaler_status_current_replicas: scaler,
  kube_job_failed: ['namespace', 'job_name', 'condition'],
};

const alertsOf = (rendered: readonly Manifest[]) =>
  ofKind(rendered, 'PrometheusRule')
    .flatMap(({ spec }) => (spec?.groups ?? []).flatMap(({ rules = [] }) => rules))
    .map(({ alert = '', expr, annotations = {} }) => ({
      alert,
      expr: String(expr),
      runbook: annotations['runbook_url'] ?? '',
    }));

const objects = goldenObjects('everything');
const runbook = readFileSync(repository('docker/RUNBOOK.md'), 'utf8');
/** A chapter of the runbook, without those below it. */
const chapter = (title: string): string =>
  runbook.split(/^#{2,} /m).find((text) => text.startsWith(`${title}\n`)) ?? '';
const alerts = alertsOf(objects);

describe('an expression', () => {
  it('lists the metrics that it reads', () => {
    expect(
      readExpression(
        'sum by (reason) (increase(a_total{reason="x"}[1h])) > 0 and b - time() < 3 unless {__name__="c"}',
      ),
    ).toMatchObject({ metrics: ['a_total', 'b'], errors: [expect.stringContaining('without the name') as string] });
  });

  it('lists the labels that it selects, groups and joins by', () => {
    const { filters, groups } = readExpression(
      'sum by (le, x) (rate(a{y="1", z!~"2"}[1m])) > 0 unless on (job) (b > max(c))',
    );
    expect(filters).toEqual([
      { metrics: ['a'], labels: ['y', 'z'] },
      { metrics: ['b'], labels: [] },
      { metrics: ['c'], labels: [] },
    ]);
    expect(groups).toEqual([
      { metrics: ['a'], labels: ['le', 'x'] },
      { metrics: ['a', 'b', 'c'], labels: ['job'] },
    ]);
  });

  it.each(['sum(', 'a_total[1h', 'a b', 'rate(a_total{x=})', 'a >'])(
    'is refused where it cannot be parsed: %s',
    (text) => {
      expect(readExpression(text).errors).not.toEqual([]);
    },
  );
});

it.each([
  ['a metric that there is not', 'rate(opendsr_no_such_total[5m])', ['there is no metric opendsr_no_such_total']],
  [
    'a histogram without its suffix',
    'http_server_request_duration_seconds',
    ['there is no metric http_server_request_duration_seconds'],
  ],
  [
    'a filter by a label that the metric has not',
    'opendsr_requests{kind="x", job="gateway"}',
    ['opendsr_requests has no label kind'],
  ],
  ['groups by such a label', 'max by (version, status) (opendsr_requests)', ['opendsr_requests has no label version']],
  ['no metric', 'time() > 5', ['reads no metric']],
])('finds %s', (_what, expr, faults) => {
  expect(faultsOf(expr)).toEqual(faults);
});

it('has alerts, each by a name of its own', () => {
  expect(alerts.length).toBeGreaterThan(10);
  expect(new Set(alerts.map(({ alert }) => alert)).size).toBe(alerts.length);
});

it('has an expression for each alert that Prometheus can parse, over metrics and labels that exist', () => {
  const faults = alerts.flatMap(({ alert, expr }) => faultsOf(expr, OF_OTHERS).map((fault) => `${alert}: ${fault}`));
  expect(faults).toEqual([]);
});

it('has the same alerts in one pod, but those about several pods, and asks its StatefulSet whether it works', () => {
  const inOnePod = alertsOf(goldenObjects('standalone'));
  const names = inOnePod.map(({ alert }) => alert);
  expect(alerts.map(({ alert }) => alert).filter((alert) => !names.includes(alert))).toEqual([
    'OpenDSRPodsMissing',
    'OpenDSRScaledToTheMost',
    'OpenDSRTopicsJobFailed',
  ]);
  const read = inOnePod.flatMap(({ expr }) => readExpression(expr).metrics);
  expect(read.filter((metric) => /^kube_(deployment|statefulset)/.test(metric))).toEqual([
    'kube_statefulset_status_replicas_ready',
  ]);
  expect(inOnePod.flatMap(({ expr }) => faultsOf(expr, OF_OTHERS))).toEqual([]);
});

it('has an alert for each metric that the code declares, or a reason why there is none', () => {
  const read = new Set(alerts.flatMap(({ expr }) => readExpression(expr).metrics));
  const alerted = declared()
    .filter(isOurs)
    .filter((metric) => seriesOf(metric).some((name) => read.has(name)))
    .map(({ name }) => name);
  const without = Object.keys(WITHOUT_ALERT);
  expect([...alerted, ...without].sort()).toEqual(
    declared()
      .filter(isOurs)
      .map(({ name }) => name),
  );
});

it('leads each alert to a chapter of the runbook', () => {
  expect(
    alerts.filter(
      ({ alert, runbook }) =>
        !/^OpenDSR[A-Za-z0-9]+$/.test(alert) ||
        runbook !== `https://runbooks.example.com/opendsr#${alert.toLowerCase()}`,
    ),
  ).toEqual([]);
  const headings = [...runbook.matchAll(/^#{2,} (\w+)\s*$/gm)].map(([, title]) => title);
  expect(alerts.map(({ alert }) => alert).filter((alert) => !headings.includes(alert))).toEqual([]);
});

describe('the runbook', () => {
  /** What a selector of `kubectl -l` selects among the workloads of a release. */
  const selected = (golden: 'everything' | 'standalone', selector: string): string[] => {
    const wanted = [...selector.matchAll(/([\w./-]+)(?:=([\w-]+)| in \(([^)]*)\))/g)].map(
      ([, label = '', one, several]) => [label, one === undefined ? (several ?? '').split(', ') : [one]] as const,
    );
    return goldenObjects(golden)
      .filter(({ kind }) => kind === 'Deployment' || kind === 'StatefulSet')
      .filter(({ metadata }) => {
        const labels = metadata.labels as Record<string, string>;
        return wanted.every(([label, values]) => values.includes(labels[label] ?? ''));
      })
      .map(({ kind }) => kind);
  };

  it('finds the one object of a service in both forms of the release, in each line', () => {
    const [, selector = ''] = /^in_release\(\) \{ echo "([^"]+)"; \}/m.exec(runbook) ?? [];
    const named = [...runbook.matchAll(/\$\((?:of|in_release) ([\w-]+)\)/g)].map(([, service = '']) => service);
    expect(named.length).toBeGreaterThan(3);
    const found = [
      ...new Set([...named, ...['gateway', 'request', 'callback-dispatcher', 'results', 'ingestion']]),
    ].map((service) => {
      const of = selector.replace('$REL', 'dsr').replace('$1', service);
      return [service, selected('everything', of), selected('standalone', of)];
    });
    expect(found).toEqual(found.map(([service]) => [service, ['Deployment'], ['StatefulSet']]));
    // Names of objects follow from values, and components differ between the forms.
    expect(runbook.match(/(deploy|statefulset|job)\/\S*|component=(?!topics)\S*/g)).toBeNull();
  });

  it('names only metrics that there are', () => {
    const known = knownSeries();
    const named = [...runbook.matchAll(/`(opendsr_\w+)[`{]/g)].map(([, name = '']) => name);
    expect(named.length).toBeGreaterThan(3);
    expect(named.filter((name) => !known.has(name))).toEqual([]);
  });

  it('says what is unknown while a measure fails, and where a partition has no leader', () => {
    expect(chapter('OpenDSRWorkerFailing')).toContain('`opendsr_consumer_lag_records`');
    expect(chapter('OpenDSRConsumerStuck')).toMatch(/partition without a leader.*#opendsrpartitionleaderless/);
    expect(chapter('OpenDSRPartitionLeaderless')).toContain('`opendsr_consumer_lag_records`');
  });

  it('sends nobody into a pod for what only a Job can do, nor to a command without its arguments', () => {
    const [preface = ''] = runbook.split(/^## /m);
    expect(preface).toMatch(/`transparency audit` \(\[a Job of the chart\]/);
    expect(runbook).not.toContain('helm rollback`');
  });

  it('knows the kinds of work that docs/observability.md knows', () => {
    const [, row = ''] =
      /^\| `work` \| .*?: (.*) \|$/m.exec(readFileSync(repository('docs/observability.md'), 'utf8')) ?? [];
    const kinds = (text: string) => [...text.matchAll(/`([a-z-]+)`/g)].map(([, kind]) => kind);
    const tables = chapter('OpenDSRWorkOverdue')
      .split('\n')
      .filter((line) => /^\| `(?!work`)/.test(line));
    expect(kinds(row).sort()).toEqual(
      ['rotation', ...tables.flatMap((line) => kinds(line.split('|')[1] ?? ''))].sort(),
    );
  });
});

it('reads the metrics of all five apps for every tool that tracks the release', () => {
  const [monitor] = ofKind(objects, 'ServiceMonitor');
  // Argo CD writes the application's name into this label of every object if it tracks by labels.
  const labelled = ofKind(objects, 'Service').map((service) => ({
    ...service,
    metadata: {
      ...service.metadata,
      labels: { ...service.metadata?.labels, 'app.kubernetes.io/instance': 'of-argo-cd' },
    },
  }));
  const services = labelled.filter(({ metadata }) =>
    selects((monitor?.spec?.selector ?? {}) as Selector, metadata.labels),
  );
  expect(
    services.map(({ metadata }) => (metadata.labels as Record<string, string>)['app.kubernetes.io/component']).sort(),
  ).toEqual(['callback-dispatcher', 'gateway', 'ingestion', 'request', 'results']);
  const ports = monitor?.spec?.endpoints?.map(({ port }) => port) ?? [];
  expect(ports).not.toEqual([]);
  expect(services.filter(({ spec }) => !ports.every((port) => spec?.ports?.some(({ name }) => name === port)))).toEqual(
    [],
  );
});

it('brings every dashboard, whole, to where the sidecar of Grafana finds it', () => {
  const maps = objects.filter(
    ({ kind, metadata }) =>
      kind === 'ConfigMap' && (metadata.labels as Record<string, string>)['grafana_dashboard'] === '1',
  ) as unknown as readonly { readonly data: Record<string, string> }[];
  const brought = Object.assign({}, ...maps.map(({ data }) => data)) as Record<string, string>;
  const folder = repository('docker/helm/opendsr-service/dashboards');
  expect(Object.fromEntries(Object.entries(brought).map(([file, text]) => [file, JSON.parse(text) as object]))).toEqual(
    Object.fromEntries(
      readdirSync(folder).map((file) => [file, JSON.parse(readFileSync(join(folder, file), 'utf8')) as object]),
    ),
  );
});
