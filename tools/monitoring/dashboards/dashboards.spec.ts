import { readdirSync, readFileSync } from 'node:fs';
import { faultsOf, OF_TARGETS } from '../../chart/alerts/expression-faults';
import { readExpression } from '../../chart/alerts/promql';
import { repository } from '../../e2e/repository';
import { declared, isOurs, knownSeries, seriesOf } from '../declared/declared';
import { dashboardPath, DASHBOARDS } from './grafana';

interface Target {
  readonly expr: string;
  readonly legendFormat: string;
  readonly datasource: { readonly uid: string };
}

interface Panel {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly fieldConfig?: { readonly defaults: { readonly unit?: string } };
  readonly targets?: readonly Target[];
}

interface Kept {
  readonly uid: string;
  readonly panels: readonly Panel[];
  readonly templating: { readonly list: readonly { readonly name: string; readonly type: string }[] };
}

const FOLDER = 'docker/helm/opendsr-service/dashboards';
const kept = readdirSync(repository(FOLDER)).map(
  (file) => [file, JSON.parse(readFileSync(repository(FOLDER, file), 'utf8')) as Kept] as const,
);
const queriesOf = ({ panels }: Kept) =>
  panels.flatMap(({ title, targets = [] }) => targets.map((target) => ({ title, ...target })));

/** The query for Prometheus: Grafana replaces its own variables by durations. */
const asSent = (expr: string): string => expr.replaceAll('$__rate_interval', '5m').replaceAll('$__range', '6h');

/** The labels that are left in what a query answers. */
function answeredLabels(expr: string): readonly string[] {
  const { metrics, groups } = readExpression(expr);
  const of =
    groups.length > 0
      ? groups.flatMap(({ labels }) => labels)
      : metrics.flatMap((metric) => [...(knownSeries().get(metric) ?? []), ...OF_TARGETS]);
  return of;
}

it('are generated from their descriptions, and the folder has no others', () => {
  expect(kept.map(([file]) => `${FOLDER}/${file}`).sort()).toEqual(DASHBOARDS.map(dashboardPath).sort());
  expect(new Set(kept.map(([, { uid }]) => uid)).size).toBe(kept.length);
});

it('show every metric of ours somewhere', () => {
  const read = new Set(
    kept.flatMap(([, dashboard]) => queriesOf(dashboard).flatMap(({ expr }) => readExpression(asSent(expr)).metrics)),
  );
  expect(
    declared()
      .filter(isOurs)
      .filter((metric) => !seriesOf(metric).some((name) => read.has(name)))
      .map(({ name }) => name),
  ).toEqual([]);
});

describe.each(kept)('%s', (_file, dashboard) => {
  it('has queries that Prometheus can parse, over metrics and labels that exist', () => {
    const queries = queriesOf(dashboard);
    expect(queries.length).toBeGreaterThan(5);
    expect(queries.flatMap(({ title, expr }) => faultsOf(asSent(expr)).map((fault) => `${title}: ${fault}`))).toEqual(
      [],
    );
  });

  it('names its series by labels that the queries leave', () => {
    const faults = queriesOf(dashboard).flatMap(({ title, expr, legendFormat }) => {
      const left = answeredLabels(asSent(expr));
      return [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)]
        .map(([, label = '']) => label)
        .filter((label) => !left.includes(label))
        .map((label) => `${title}: ${label}`);
    });
    expect(faults).toEqual([]);
  });

  it('filters by namespace and job, and reads the chosen data source', () => {
    expect(dashboard.templating.list.map(({ name, type }) => [name, type])).toEqual([
      ['datasource', 'datasource'],
      ['namespace', 'query'],
      ['job', 'query'],
    ]);
    expect(
      JSON.stringify(dashboard).match(/"datasource":\{"type":"prometheus","uid":"(?!\$\{datasource\}")[^"]*"/),
    ).toBeNull();
    const unchosen = queriesOf(dashboard).filter(({ expr }) =>
      readExpression(asSent(expr)).filters.some(
        ({ labels }) => !labels.includes('namespace') || !labels.includes('job'),
      ),
    );
    expect(unchosen.map(({ title }) => title)).toEqual([]);
  });

  it('has panels with a unit, an id of their own and a place of their own', () => {
    const { panels } = dashboard;
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    expect(
      panels.filter(({ type, fieldConfig }) => type !== 'row' && !fieldConfig?.defaults.unit).map(({ title }) => title),
    ).toEqual([]);
    const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, n) => `${x + (n % w)},${y + Math.floor(n / w)}`),
    );
    expect(new Set(cells).size).toBe(cells.length);
    expect(panels.filter(({ gridPos: { x, w } }) => x + w > 24)).toEqual([]);
  });
});
