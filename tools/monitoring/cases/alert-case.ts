/** Series in promtool's notation (`0+10x60`, a sample each interval) and the time of the check. */
export interface Scenario {
  readonly series: Readonly<Record<string, string>>;
  /** Time from the first sample. */
  readonly at: string;
  /** Between samples, and between evaluations; a minute by default. */
  readonly interval?: string;
}

/** Series that fire an alert, with its expected text. */
export interface Firing extends Scenario {
  /** Labels of the alert, beside its severity. */
  readonly labels: Readonly<Record<string, string>>;
  /** Its full description. */
  readonly says: string;
}

/** How an alert is tried: on series that fire it, and on some that are just not enough. */
export interface AlertCase {
  readonly alert: string;
  readonly fires: Firing;
  readonly firesToo?: readonly Firing[];
  readonly silent: readonly Scenario[];
}

type Labels = Readonly<Record<string, string>>;

const matchers = (labels: Labels): string =>
  Object.entries(labels)
    .map(([name, value]) => `${name}="${value}"`)
    .join(', ');

/** What the operator adds to each series of a process, in the release and the namespace of the kept renders. */
export const target = (app: string): Labels => ({
  namespace: 'privacy',
  service: `dsr-opendsr-service-${app}`,
  job: app,
  instance: `${app}-1:9090`,
  pod: `dsr-opendsr-service-${app}-1`,
});

/** A series of one of our processes. */
export const seriesOf = (app: string, metric: string, labels: Labels = {}): string =>
  `${metric}{${matchers({ ...target(app), ...labels })}}`;

/** A series of kube-state-metrics. */
export const ofCluster = (metric: string, labels: Labels): string =>
  `${metric}{${matchers({ namespace: 'privacy', ...labels })}}`;

/** Several values of one series, checked at the same time. */
export const each = (series: string, at: string, given: readonly string[]): Scenario[] =>
  given.map((text) => ({ series: { [series]: text }, at }));
