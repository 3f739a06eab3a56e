/** A metric from the text for Prometheus. */
export interface Scraped {
  readonly name: string;
  readonly type: string;
  readonly help: string;
  /** Names of the labels that its series have; those that stand for buckets are no labels of ours. */
  readonly labels: readonly string[];
}

const OF_BUCKETS = ['le', 'quantile'];

/** The metrics in the text that a process answers to a scrape, in its order. */
export function readScrape(text: string): Scraped[] {
  const metrics: Scraped[] = [];
  for (const part of text.split(/^# HELP /m).slice(1)) {
    const [first = '', second = '', ...series] = part.split('\n');
    const [name = '', ...help] = first.split(' ');
    const labels = series.flatMap((line) =>
      [...(/^\w+\{(.*)\} /.exec(line)?.[1] ?? '').matchAll(/(\w+)="(?:[^"\\]|\\.)*"/g)].map(([, label = '']) => label),
    );
    metrics.push({
      name,
      type: second.split(' ').at(-1) ?? '',
      help: help.join(' '),
      labels: [...new Set(labels)].filter((label) => !OF_BUCKETS.includes(label)).sort(),
    });
  }
  return metrics;
}
