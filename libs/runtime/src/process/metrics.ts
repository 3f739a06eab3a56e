import type { EdgeAdapter } from '@opendsr-service/edge';
import { collectDefaultMetrics, Counter, Gauge, Registry } from 'prom-client';

/** One series of a metric as it stands. */
export interface Sample<L extends string = string> {
  readonly labels: Readonly<Record<L, string>>;
  readonly value: number;
}

/** Something that is counted or measured in this process, by labels. No label holds a workspace, an id, a URL or a host: each has few values, and they are known (docs/observability.md). */
export interface Metric<L extends string = string> {
  /** A `counter`, as it is by default, only grows; a `gauge` is as it stands now. */
  readonly kind?: 'counter' | 'gauge';
  /** As Prometheus has it: small letters, the unit last, `_total` for what only grows. */
  readonly name: string;
  readonly help: string;
  /** Names of its labels; there may be none. */
  readonly labels: readonly L[];
  /** What was counted since the process began, or what there is. Asked at each scrape, so it answers from memory. */
  readonly read: () => readonly Sample<L>[];
}

/** What Node tells of a process is told once, however many services and servers it has. */
let ofProcess: Registry | undefined;

function processRegistry(): Registry {
  if (!ofProcess) collectDefaultMetrics({ register: (ofProcess = new Registry()) });
  return ofProcess;
}

/** Serves `/metrics`, the text that Prometheus reads: what is registered already, these metrics, and what Node tells of the process. */
export function serveMetrics(adapter: EdgeAdapter, metrics: readonly Metric[], registry = new Registry()): void {
  // Services of one process may count the same thing; then series of equal labels add up in one metric.
  for (const [first, ...more] of Map.groupBy(metrics, ({ name }) => name).values()) if (first) register(registry, first, [first, ...more]);
  adapter.getInstance().get('/metrics', async (_request, reply) => {
    await reply.header('content-type', registry.contentType).send(await Registry.merge([registry, processRegistry()]).metrics());
  });
}

function register(registry: Registry, { kind, name, help, labels }: Metric, parts: readonly Pick<Metric, 'read'>[]): void {
  const Kind = kind === 'gauge' ? Gauge : Counter;
  const shown: Counter | Gauge = new Kind({
    name,
    help,
    labelNames: [...labels],
    registers: [registry],
    collect: () => {
      shown.reset();
      // Else a metric without labels would stand at 0 where nothing is known.
      if (labels.length === 0) shown.remove({});
      for (const sample of parts.flatMap(({ read }) => read())) shown.inc(sample.labels, sample.value);
    },
  });
}
