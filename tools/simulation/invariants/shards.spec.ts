import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { scatteredBy } from '../stores/scattered-queries';
import type { Outcome } from '../world';
import { queriesNameTheirShard, SCATTERED } from './shards';

const page = readFileSync(join(__dirname, '../../../docs/decisions/0011-scale-by-replicas.md'), 'utf8');

it.each<[string, unknown[], string[]]>([
  ['find', [{ _id: 'a', ws: 'acme' }], []],
  ['find', [{ ws: { $in: ['acme'] }, kid: 'k' }], []],
  ['updateMany', [{ _id: { $in: ['a', 'b'] } }, {}], []],
  ['find', [{ _id: { $gte: 'a', $lt: 'b' }, v: 1 }], ['things by _id, v']],
  ['deleteMany', [{}], ['things by nothing']],
  ['insertOne', [{ _id: 'a' }], []],
  [
    'bulkWrite',
    [
      [
        { insertOne: { document: {} } },
        { updateOne: { filter: { ws: 'acme' } } },
        { deleteOne: { filter: { at: 1 } } },
      ],
    ],
    ['things by at'],
  ],
])('finds in %s %j what no shard key targets', (verb, args, scattered) => {
  expect(scatteredBy('things', verb, args)).toEqual(scattered);
});

it('breaks the rule for each query that is not listed', () => {
  const scattered = new Set([
    ...['gateway.requests by status, type', 'gateway.requests by srid, status', 'results.parked by group'],
  ]);
  expect(queriesNameTheirShard.check({ scattered } as unknown as Outcome)).toEqual([
    { srid: '', what: 'gateway.requests by srid, status' },
  ]);
});

it('decision 11 lists what polls, and nothing else', () => {
  const rows = page.split('\n').filter((line) => line.startsWith('| `'));
  const listed = rows.map((row) => (row.match(/`[\w.]+`/g) ?? []).map((name) => name.slice(1, -1)));
  expect(listed).toEqual(Object.entries(SCATTERED).map(([collection, fields]) => [collection, ...fields]));
});
