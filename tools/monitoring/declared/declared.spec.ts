import 'reflect-metadata';
import { declared, isOurs, textOfDeclared, type Declared } from './declared';
import { declaredByServices } from './declared-by-services';
import { readScrape } from './scrape';

it('reads names, kinds and labels from a scrape, buckets aside', () => {
  const text = [
    '# HELP a_total Some a.',
    '# TYPE a_total counter',
    'a_total{x="1",y="a,b=\\"c\\""} 3',
    'a_total{x="2",z=""} 4',
    '',
    '# HELP b_seconds How long',
    '# TYPE b_seconds histogram',
    'b_seconds_bucket{le="5"} 0',
    'b_seconds_count 0',
    '',
  ].join('\n');
  expect(readScrape(text)).toEqual([
    { name: 'a_total', type: 'counter', help: 'Some a.', labels: ['x', 'y', 'z'] },
    { name: 'b_seconds', type: 'histogram', help: 'How long', labels: [] },
  ]);
});

it('keeps the metrics of the five running services; `node tools/run.mjs tools/monitoring/generate.ts` writes them', async () => {
  // Some of Node's own exist on Linux only.
  const compared = (metrics: readonly Declared[]) =>
    textOfDeclared(metrics.filter((metric) => isOurs(metric) || process.platform === 'linux'));
  expect(compared(await declaredByServices())).toBe(compared(declared()));
});
