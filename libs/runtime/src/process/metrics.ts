import type { EdgeAdapter } from '@opendsr-service/edge';
import { Counter, Registry } from 'prom-client';

/** Something that is counted in this process, by labels. It names no person, request or workspace. */
export interface Metric {
  /** As Prometheus has it: small letters, the unit last, `_total` for what only grows. */
  readonly name: string;
  readonly help: string;
  /** Each label's values are few and known. */
  readonly label: string;
  /** How much was counted since the process began, by the value of the label. Asked at each scrape. */
  readonly read: () => Readonly<Record<string, number>>;
}

/** Serves `/metrics`, the text that Prometheus reads, where there is something to measure. */
export function serveMetrics(adapter: EdgeAdapter, metrics: readonly Metric[]): void {
  if (metrics.length === 0) return;
  const registry = new Registry();
  // Services of one process may count the same thing; then their counts are one metric.
  for (const [first, ...more] of Map.groupBy(metrics, ({ name }) => name).values()) if (first) register(registry, first, [first, ...more]);
  adapter.getInstance().get('/metrics', async (_request, reply) => {
    await reply.header('content-type', registry.contentType).send(await registry.metrics());
  });
}

function register(registry: Registry, { name, help, label }: Metric, counts: readonly Pick<Metric, 'read'>[]): void {
  const counter: Counter = new Counter({
    name,
    help,
    labelNames: [label],
    registers: [registry],
    collect: () => {
      counter.reset();
      for (const [value, count] of counts.flatMap(({ read }) => Object.entries(read()))) counter.inc({ [label]: value }, count);
    },
  });
}
