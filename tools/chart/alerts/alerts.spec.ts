import { existsSync, readFileSync } from 'node:fs';
import { repository } from '../../e2e/repository';
import { goldenObjects } from '../goldens';
import { ofKind } from '../manifest';
import { selects, type Selector } from '../policy/selects';
import { declared, isOurs, knownSeries, seriesOf } from '../../monitoring/declared/declared';
import { WITHOUT_ALERT } from './without-alert';
import { readExpression } from './promql';

/** What is read of others: Prometheus says of each target whether it is up, kube-state-metrics tells of the cluster. */
const OF_OTHERS = ['up', 'kube_deployment_spec_replicas', 'kube_deployment_status_replicas_available', 'kube_pod_container_status_restarts_total', 'kube_horizontalpodautoscaler_spec_max_replicas', 'kube_horizontalpodautoscaler_status_current_replicas', 'kube_job_status_failed', 'kube_job_status_succeeded'];

const objects = goldenObjects('everything');
const alerts = ofKind(objects, 'PrometheusRule').flatMap(({ spec }) => (spec?.groups ?? []).flatMap(({ rules = [] }) => rules)).map(({ alert = '', expr, annotations = {} }) => ({ alert, expr: String(expr), runbook: annotations['runbook_url'] ?? '' }));

describe('an expression', () => {
  it('tells the metrics that it reads', () => {
    expect(readExpression('sum by (reason) (increase(a_total{reason="x"}[1h])) > 0 and b - time() < 3 unless {__name__="c"}')).toEqual({ metrics: ['a_total', 'b'], errors: [expect.stringContaining('without the name') as string] });
  });

  it.each(['sum(', 'a_total[1h', 'a b', 'rate(a_total{x=})', 'a >'])('is refused where it cannot be parsed: %s', (text) => {
    expect(readExpression(text).errors).not.toEqual([]);
  });
});

it('has alerts, each by a name of its own', () => {
  expect(alerts.length).toBeGreaterThan(10);
  expect(new Set(alerts.map(({ alert }) => alert)).size).toBe(alerts.length);
});

it('has an expression for each alert that Prometheus can parse, over metrics that exist', () => {
  const known = new Set([...knownSeries().keys(), ...OF_OTHERS]);
  const read = alerts.map(({ alert, expr }) => ({ alert, ...readExpression(expr) }));
  expect(read.filter(({ errors }) => errors.length > 0)).toEqual([]);
  expect(read.filter(({ metrics }) => metrics.length === 0)).toEqual([]);
  expect(read.flatMap(({ alert, metrics }) => metrics.filter((metric) => !known.has(metric)).map((metric) => `${alert} reads ${metric}`))).toEqual([]);
});

it('has an alert for each metric that the code declares, or a reason why there is none', () => {
  const read = new Set(alerts.flatMap(({ expr }) => readExpression(expr).metrics));
  const alerted = declared().filter(isOurs).filter((metric) => seriesOf(metric).some((name) => read.has(name))).map(({ name }) => name);
  const without = Object.keys(WITHOUT_ALERT);
  expect([...alerted, ...without].sort()).toEqual(declared().filter(isOurs).map(({ name }) => name));
});

it('leads each alert to a chapter of the runbook', () => {
  expect(alerts.filter(({ alert, runbook }) => !/^OpenDSR[A-Za-z0-9]+$/.test(alert) || runbook !== `https://runbooks.example.com/opendsr#${alert.toLowerCase()}`)).toEqual([]);
  const file = repository('docker/RUNBOOK.md');
  const headings = existsSync(file) ? [...readFileSync(file, 'utf8').matchAll(/^#{2,} (\w+)\s*$/gm)].map(([, title]) => title) : [];
  expect(alerts.map(({ alert }) => alert).filter((alert) => !headings.includes(alert))).toEqual([]);
});

it('reads the metrics of all five apps, whoever tracks the release', () => {
  const [monitor] = ofKind(objects, 'ServiceMonitor');
  // Argo CD writes the application's name into this label of every object where it tracks by labels.
  const labelled = ofKind(objects, 'Service').map((service) => ({ ...service, metadata: { ...service.metadata, labels: { ...service.metadata?.labels, 'app.kubernetes.io/instance': 'of-argo-cd' } } }));
  const services = labelled.filter(({ metadata }) => selects((monitor?.spec?.selector ?? {}) as Selector, metadata.labels));
  expect(services.map(({ metadata }) => (metadata.labels as Record<string, string>)['app.kubernetes.io/component']).sort()).toEqual(['callback-dispatcher', 'gateway', 'ingestion', 'request', 'results']);
  const ports = monitor?.spec?.endpoints?.map(({ port }) => port) ?? [];
  expect(ports).not.toEqual([]);
  expect(services.filter(({ spec }) => !ports.every((port) => spec?.ports?.some(({ name }) => name === port)))).toEqual([]);
});
