import type { EdgeAdapter } from '@opendsr-service/edge';
import { collectDefaultMetrics, Counter, Gauge, Registry } from 'prom-client';

export interface Sample<L extends string = string> {
  readonly labels: Readonly<Record<L, string>>;
  readonly value: number;
}

/** No label holds a workspace, an id, a URL or a host: each has few, known values (docs/observability.md). */
export interface Metric<L extends string = string> {
  /** A `counter` (default) only grows; a `gauge` is the present value. */
  readonly kind?: 'counter' | 'gauge';
  readonly name: string;
  readonly help: string;
  readonly labels: readonly L[];
  /** Called at each scrape, so it returns values from memory. */
  readonly read: () => readonly Sample<L>[];
}

const WORD = /^[a-z_](?:[ _-]?[a-z0-9]+)*$/i;
const TOPIC = /^[a-z-]+(?:\.[a-z-]+)*\.v\d{1,3}$/;
const MADE_BY_CHANCE = /\d{6}|[0-9a-f]{8}-|[0-9a-f]{16}/i;
const LONGEST_WORD = 64;
const OTHER = '_other';

const isWord = (text: string): boolean =>
  text.length <= LONGEST_WORD && (WORD.test(text) || TOPIC.test(text)) && !MADE_BY_CHANCE.test(text);
const isVersion = (text: string): boolean => /^v?\d{1,4}(\.\d{1,4}){0,2}(-[a-z0-9.]{1,16})?$/.test(text);

/** Metrics are kept for long and widely readable: values that may be an id, a path or a host are hidden. */
const shownLabels = (labels: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(labels).map(([name, value]) => [name, isWord(value) || isVersion(value) ? value : OTHER]),
  );

/** How often the event loop is looked at, once somebody has read metrics: part of each delay that they show. */
const EVENT_LOOP_LOOK_MS = 50;

/** Node's metrics are registered once for each process. */
let ofProcess: Registry | undefined;

function processRegistry(): Registry {
  if (ofProcess) return ofProcess;
  ofProcess = new Registry();
  collectDefaultMetrics({ register: ofProcess, eventLoopMonitoringPrecision: EVENT_LOOP_LOOK_MS });
  return ofProcess;
}

/** Serves `/metrics` for Prometheus. */
export function serveMetrics(adapter: EdgeAdapter, metrics: readonly Metric[], registry = new Registry()): void {
  // Several services of one process may have the same metric: series of equal labels are summed.
  for (const [first, ...more] of Map.groupBy(metrics, ({ name }) => name).values())
    if (first) register(registry, first, [first, ...more]);
  adapter.getInstance().get('/metrics', async (_request, reply) => {
    await reply
      .header('content-type', registry.contentType)
      .send(await Registry.merge([registry, processRegistry()]).metrics());
  });
}

function register(
  registry: Registry,
  { kind, name, help, labels }: Metric,
  parts: readonly Pick<Metric, 'read'>[],
): void {
  const Kind = kind === 'gauge' ? Gauge : Counter;
  const shown: Counter | Gauge = new Kind({
    name,
    help,
    labelNames: [...labels],
    registers: [registry],
    collect: () => {
      shown.reset();
      // Otherwise a metric without labels would be 0 where its value is unknown.
      if (labels.length === 0) shown.remove({});
      for (const sample of parts.flatMap(({ read }) => read())) shown.inc(shownLabels(sample.labels), sample.value);
    },
  });
}
