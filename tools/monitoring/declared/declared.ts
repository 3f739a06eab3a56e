import { existsSync, readFileSync } from 'node:fs';
import { repository } from '../../e2e/repository';
import type { Scraped } from './scrape';

/** A metric of ours, and which services have it. */
export interface Declared extends Scraped {
  readonly services: readonly string[];
}

export const declaredPath = 'tools/monitoring/declared/declared.json';

/**
 * The metrics that the services have, as kept; declared.spec.ts proves that they have them today, so the other specs
 * need not serve anything.
 */
export const declared = (): readonly Declared[] =>
  existsSync(repository(declaredPath))
    ? (JSON.parse(readFileSync(repository(declaredPath), 'utf8')) as Declared[])
    : [];

export const textOfDeclared = (metrics: readonly Declared[]): string =>
  `[\n${metrics.map((metric) => `  ${JSON.stringify(metric)}`).join(',\n')}\n]\n`;

const SUFFIXES: Readonly<Record<string, readonly string[]>> = {
  histogram: ['_bucket', '_sum', '_count'],
  summary: ['', '_sum', '_count'],
};

/** Names by which queries read a metric. */
export const seriesOf = ({ name, type }: Pick<Declared, 'name' | 'type'>): string[] =>
  (SUFFIXES[type] ?? ['']).map((suffix) => `${name}${suffix}`);

/** The labels of each series by its name: those of the metric, and what stands for the bucket. */
export const knownSeries = (): Map<string, readonly string[]> =>
  new Map(
    declared().flatMap((metric) =>
      seriesOf(metric).map((name): [string, readonly string[]] => [
        name,
        name.endsWith('_bucket') ? [...metric.labels, 'le'] : metric.labels,
      ]),
    ),
  );

/** What of ours stands for itself; the rest is prom-client's, of Node and of the process. */
export const isOurs = ({ name }: Pick<Declared, 'name'>): boolean => !/^(nodejs|process)_/.test(name);
