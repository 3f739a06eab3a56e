import type { SyntaxNode } from '@lezer/common';
import { parser } from '@prometheus-io/lezer-promql';
import { stringify } from 'yaml';
import { goldenObjects } from '../chart/goldens';
import { ofKind } from '../chart/manifest';
import { readExpression } from '../chart/alerts/promql';

export interface AlertRule {
  readonly alert: string;
  readonly expr: string;
  readonly for: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

export interface RuleGroup {
  readonly name: string;
  readonly rules: readonly AlertRule[];
}

/** The groups of alerts as the chart renders them with all that it has. */
export const chartGroups = (): readonly RuleGroup[] =>
  ofKind(goldenObjects('everything'), 'PrometheusRule').flatMap(
    ({ spec }) => (spec?.groups ?? []) as unknown as readonly RuleGroup[],
  );

export const rulesOf = (groups: readonly RuleGroup[]): readonly AlertRule[] => groups.flatMap(({ rules }) => rules);

/** Labels of the Prometheus operator and kube-state-metrics that select one release in the chart's alerts. */
export const OF_THE_RELEASE = ['namespace', 'service'];

/** An expression, or a series, without the labels of the release. */
export function withoutRelease(expr: string): string {
  const kept: string[] = [];
  let from = 0;
  parser.parse(expr).iterate({
    enter: ({ type, from: start, to, node }) => {
      if (type.name !== 'LabelMatchers') return;
      const matchers = node
        .getChildren('UnquotedLabelMatcher')
        .filter((matcher) => !OF_THE_RELEASE.includes(nameIn(expr, matcher)))
        .map((matcher) => expr.slice(matcher.from, matcher.to));
      kept.push(expr.slice(from, start), matchers.length > 0 ? `{${matchers.join(', ')}}` : '');
      from = to;
    },
  });
  return [...kept, expr.slice(from)].join('');
}

const nameIn = (expr: string, matcher: SyntaxNode): string =>
  matcher.firstChild ? expr.slice(matcher.firstChild.from, matcher.firstChild.to) : '';

/** Whether kube-state-metrics is needed, which there is none of outside of Kubernetes. */
const isOfTheCluster = ({ expr }: AlertRule): boolean =>
  readExpression(expr).metrics.some((metric) => metric.startsWith('kube_'));

const plain = ({ expr, annotations: { summary = '', description = '' }, ...rule }: AlertRule): AlertRule => ({
  ...rule,
  expr: withoutRelease(expr),
  annotations: { summary, description, runbook: `docker/RUNBOOK.md#${rule.alert.toLowerCase()}` },
});

/** The same alerts for a Prometheus without the operator, which reads one installation: those of the cluster are left out. */
export const plainGroups = (): readonly RuleGroup[] =>
  chartGroups().map(({ name, rules }) => ({
    name: `opendsr.${name.split('.').at(-1)}`,
    rules: rules.filter((rule) => !isOfTheCluster(rule)).map(plain),
  }));

/** A file of rules as Prometheus loads it. */
export const ruleFile = (groups: readonly RuleGroup[]): string => stringify({ groups }, { lineWidth: 0 });

export const plainRulesPath = 'docker/prometheus/opendsr.rules.yaml';

export const plainRules = (): string =>
  '# Alerts of OpenDSR for a Prometheus without the operator. ' +
  `Made from the chart by tools/monitoring/generate.ts: change them there.\n${ruleFile(plainGroups())}`;
