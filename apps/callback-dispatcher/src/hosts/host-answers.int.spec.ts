import { ensureIndexes } from '@opendsr-service/storage';
import { mongodbDatabase } from '@opendsr-service/storage/testing';
import type { Connection } from 'mongoose';
import { DestinationsCollection } from '../destinations/destinations-collection.store';
import { hostAnswersContract } from './host-answers.contract';
import { ReceivingHosts } from './receiving-hosts.store';

hostAnswersContract('MongoDB', mongodbDatabase('host-answers'));

describe('the queries about hosts', () => {
  const database = mongodbDatabase('host-plans');
  const [HOSTS, PAGE] = [40, 10];
  let connection: Connection;
  beforeAll(async () => {
    connection = await database.open();
    void [new DestinationsCollection(connection), new ReceivingHosts(connection)];
    await ensureIndexes(connection);
    const each = <T>(make: (n: number) => T): T[] => Array.from({ length: HOSTS }, (_, n) => make(n));
    const state = (n: number) => (n % 2 === 0 ? 'ok' : 'failing');
    await connection
      .collection<{ _id: string }>('hosts')
      .insertMany(each((n) => ({ _id: `acme|${n + 10}`, state: state(n), at: new Date(n) })));
    const waiting = each((n) => ({ _id: `acme:${n}|d`, ws: 'acme', host: `h${n % 2}`, dueAt: new Date(n) }));
    await connection.collection<{ _id: string }>('destinations').insertMany(waiting);
  });
  afterAll(() => database.close());

  const statsOf = async (collection: string, filter: object, sort: Record<string, 1>) => {
    const plan = await connection.collection(collection).find(filter, { sort, limit: PAGE }).explain('executionStats');
    return (plan as { executionStats: { nReturned: number; totalDocsExamined: number } }).executionStats;
  };

  it.each([
    ['a page of hosts', 'hosts', { _id: { $gt: '' } }, { _id: 1 }],
    ['a page of failing hosts', 'hosts', { state: 'failing', _id: { $gt: 'acme|' } }, { _id: 1 }],
    ['what waits for a host', 'destinations', { ws: 'acme', host: 'h1', dueAt: { $gte: new Date(0) } }, { dueAt: 1 }],
  ] as const)('%s reads its own documents and no other, in the order of an index', async (_what, of, filter, sort) => {
    const stats = await statsOf(of, filter, sort);
    expect([stats.nReturned, stats.totalDocsExamined]).toEqual([PAGE, PAGE]);
    expect(JSON.stringify(stats)).not.toMatch(/"stage":"(SORT|COLLSCAN)"/);
  });
});
