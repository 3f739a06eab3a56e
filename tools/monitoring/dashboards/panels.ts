/** A query of a panel, and how its series are called (`{{label}}`). */
interface Query {
  readonly expr: string;
  readonly legend: string;
}

/** Units of Grafana that we use. */
type Unit = 'short' | 's' | 'reqps' | 'percentunit' | 'bytes' | 'dateTimeFromNow' | 'cps';

export interface Panel {
  readonly title: string;
  /** What it shows and what it means. */
  readonly about: string;
  readonly unit: Unit;
  readonly kind?: 'timeseries' | 'stat';
  /** Of 24; 12 by default. */
  readonly width?: number;
  readonly queries: readonly Query[];
  /** From here on it is drawn red: where the alert on it is. */
  readonly alarmAt?: number;
  /** Whether series are piled up. */
  readonly stacked?: boolean;
}

export interface Row {
  readonly title: string;
  readonly panels: readonly Panel[];
}

export interface Dashboard {
  /** The name of its file, and its uid. */
  readonly name: string;
  readonly title: string;
  readonly about: string;
  readonly rows: readonly Row[];
}

/** Labels by which every query is narrowed; a Prometheus without Kubernetes has no namespace, which `.*` allows. */
const CHOSEN = 'namespace=~"$namespace", job=~"$job"';

/** A metric with the filters of the dashboard and further matchers. */
export const chosen = (metric: string, matchers = ''): string =>
  `${metric}{${[CHOSEN, matchers].filter(Boolean).join(', ')}}`;

/** How often, over a window that fits the picture. */
export const rate = (metric: string, matchers?: string): string =>
  `rate(${chosen(metric, matchers)}[$__rate_interval])`;

/** The maximum over replicas: each reports the same database and group lag. */
export const most = (metric: string, by: readonly string[] = [], matchers?: string): string =>
  `max${by.length > 0 ? ` by (${by.join(', ')})` : ''} (${chosen(metric, matchers)})`;

/** One query and the names of its series, which is what most panels are. */
export const query = (expr: string, legend: string): readonly Query[] => [{ expr, legend }];
