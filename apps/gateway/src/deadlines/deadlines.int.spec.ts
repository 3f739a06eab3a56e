import { ensureIndexes } from '@opendsr-service/storage';
import { mongodbDatabase } from '@opendsr-service/storage/testing';
import type { Connection } from 'mongoose';
import { requestsCollection } from '../admission/requests-collection.store';
import { deadlinesContract } from './deadlines.contract';

deadlinesContract('MongoDB', mongodbDatabase('deadlines'));

describe('a page of due requests', () => {
  const database = mongodbDatabase('pages');
  const PAGE = 10;
  let connection: Connection;
  beforeAll(async () => {
    connection = await database.open();
    requestsCollection(connection);
    await ensureIndexes(connection);
    const statuses = ['completed', 'cancelled', 'pending', 'in_progress'];
    await connection.collection<{ _id: string }>('requests').insertMany(
      Array.from({ length: 400 }, (_, n) => ({
        ...{ _id: String(n).padStart(4, '0'), ws: `ws${n % 5}`, type: 'access', status: statuses[n % 4] ?? '' },
        ...{ expectedAt: new Date(n), dueBy: new Date(Math.floor(n / 100)) },
      })),
    );
  });
  afterAll(() => database.close());

  it.each([
    ['from the beginning', { dueBy: { $gte: new Date(-1), $lte: new Date(9) } }],
    ['of one workspace', { ws: 'ws1', dueBy: { $gte: new Date(-1) } }],
    ['within a day of many', { dueBy: new Date(1), _id: { $gt: '0150' } }],
    ['after a day', { dueBy: { $gt: new Date(2) } }],
  ])('%s reads only its own documents, in the order of an index', async (_what, dates) => {
    const plan = await connection
      .collection('requests')
      .find({ ...dates, status: { $gte: 'in_progress' } } as object, { sort: { dueBy: 1, _id: 1 }, limit: PAGE })
      .explain('executionStats');
    const stats = (plan as { executionStats: { nReturned: number; totalDocsExamined: number } }).executionStats;
    expect([stats.nReturned, stats.totalDocsExamined]).toEqual([PAGE, PAGE]);
    expect(JSON.stringify(stats)).not.toContain('"stage":"SORT"');
  });
});
