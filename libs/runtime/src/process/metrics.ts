import type { EdgeAdapter } from '@opendsr-service/edge';
import { Counter, Gauge, Registry } from 'prom-client';

/** Something that is counted or measured in this process, by labels. It names no person, request or workspace. */
export interface Metric {
  /** A `counter` only grows; a `gauge` is as it stands now. */
  readonly kind?: 'counter' | 'gauge';
  /** As Prometheus has it: small letters, the unit last, `_total` for what only grows. */
  readonly name: string;
  readonly help: string;
  /** Each label's values are few and known. */
  readonly label: string;
  /** How much was counted since the process began, or how much there is, by the value of the label. Asked at each scrape. */
  readonly read: () => Readonly<Record<string, number>>;
}

/** Serves `/metrics`, the text that Prometheus reads, where there is something to measure. */
export function serveMetrics(adapter: EdgeAdapter, metrics: readonly Metric[]): void {
  if (metrics.length === 0) return;
  const registry = new Registry();
  // Services of one process may count the same thing; then their counts, or what they measure, add up in one metric.
  for (const [first, ...more] of Map.groupBy(metrics, ({ name }) => name).values()) if (first) register(registry, first, [first, ...more]);
  adapter.getInstance().get('/metrics', async (_request, reply) => {
    await reply.header('content-type', registry.contentType).send(await registry.metrics());
  });
}

function register(registry: Registry, { kind, name, help, label }: Metric, counts: readonly Pick<Metric, 'read'>[]): void {
  const Kind = kind === 'gauge' ? Gauge : Counter;
  const shown: Counter | Gauge = new Kind({
    name,
    help,
    labelNames: [label],
    registers: [registry],
    collect: () => {
      shown.reset();
      for (const [value, count] of counts.flatMap(({ read }) => Object.entries(read()))) shown.inc({ [label]: value }, count);
    },
  });
}
