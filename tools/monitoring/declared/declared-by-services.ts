import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  clientCertificateMetric,
  dataFolderParts,
  replicationOf,
  serveMounted,
  topicsStep,
  type Metric,
  type RunningProcess,
} from '@opendsr-service/service';
import { isOurs, type Declared } from './declared';
import { openPlatform, settings, type Platform } from './platform';
import { readScrape, type Scraped } from './scrape';
import { SERVICES, type MountedService } from './services';

const DEADLINE_MS = 40_000;

/**
 * Serves each of the five as its own process would, on embedded stores, scrapes it, and says what metrics there are:
 * from the registries themselves.
 */
export async function declaredByServices(): Promise<Declared[]> {
  const folder = await mkdtemp(join(tmpdir(), 'opendsr-metrics-'));
  const platform = await openPlatform(folder);
  try {
    const found: [service: string, metrics: readonly Scraped[]][] = [];
    for (const [name, mount] of Object.entries(SERVICES))
      found.push([name, await metricsOf(name, await mount(platform), platform)]);
    found.push(['standalone', ofOnePod(dataFolderParts(folder, { everyMs: 1_000, log: platform.log }).metrics)]);
    return joined(found);
  } finally {
    await platform.events.close();
    await platform.storage.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** What only the standalone app has. */
const ofOnePod = (metrics: readonly Metric[]): Scraped[] =>
  metrics.map(({ name, kind = 'counter', help, labels }) => ({ name, type: kind, help, labels }));

async function metricsOf(
  name: string,
  { mounted, own }: MountedService,
  { events, log }: Platform,
): Promise<readonly Scraped[]> {
  const stores = { metrics: [clientCertificateMetric(settings)] };
  const metrics: Metric[] = [...stores.metrics, ...(own?.metrics ?? [])];
  const watched: typeof mounted = {
    ...mounted,
    service: (app, host) => {
      const parts = mounted.service(app, host);
      metrics.push(...(parts.metrics ?? []));
      return parts;
    },
  };
  const fatal = (error: unknown): never => {
    throw error;
  };
  const running = await serveMounted(
    settings,
    { name, log, fatal, waitFor: (_what, attempt) => attempt() },
    {
      services: [watched],
      publicPort: 0,
      prepare: [topicsStep(events, replicationOf(settings), log)],
      processParts: [stores, ...(own ? [own] : [])],
      closing: [],
    },
  );
  try {
    // A metric of the parts declares its labels, also without series.
    const labels = new Map(metrics.map((metric) => [metric.name, [...metric.labels].sort()]));
    // Which series Node's own have depends on what happens to be open or was just collected.
    return (await scrapeOf(running, [...labels.keys()])).map((metric) => ({
      ...metric,
      labels: labels.get(metric.name) ?? (isOurs(metric) ? metric.labels : []),
    }));
  } finally {
    await running.stop();
  }
}

/** A scrape in which everything has a series that gets one by itself: a call, and how far a group is behind. */
async function scrapeOf({ adminPort }: RunningProcess, needed: readonly string[]): Promise<readonly Scraped[]> {
  const at = `http://127.0.0.1:${adminPort}`;
  await fetch(`${at}/no-such-path`);
  const deadline = performance.now() + DEADLINE_MS;
  for (;;) {
    const text = await (await fetch(`${at}/metrics`)).text();
    const metrics = readScrape(text);
    const missing = needed.filter((name) => !metrics.some((metric) => metric.name === name));
    if (text.includes('\nopendsr_consumer_lag_records{') && missing.length === 0) return metrics;
    if (performance.now() > deadline) throw new Error(`not scraped in time: lag of consumers, ${missing.join(', ')}`);
    await sleep(20);
  }
}

function joined(found: readonly (readonly [service: string, metrics: readonly Scraped[]])[]): Declared[] {
  const all = found.flatMap(([service, metrics]) => metrics.map((metric) => ({ service, metric })));
  const byName = Map.groupBy(all, ({ metric }) => metric.name);
  return [...byName.values()]
    .flatMap((same) => (same[0] ? [{ ...same[0].metric, services: same.map(({ service }) => service).sort() }] : []))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}
