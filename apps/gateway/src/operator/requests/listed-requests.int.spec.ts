import { ensureIndexes } from '@opendsr-service/storage';
import { mongodbDatabase } from '@opendsr-service/storage/testing';
import type { Connection } from 'mongoose';
import { OPEN_FILTER, requestsCollection } from '../../admission/requests-collection.store';
import { listedRequestsContract, plantedRequests } from './listed-requests.contract';

listedRequestsContract('MongoDB', mongodbDatabase('listed'));

describe('a page of a list', () => {
  const database = mongodbDatabase('list-plans');
  const PAGE = 10;
  const received = { receivedAt: -1, _id: -1 } as const;
  const due = { dueBy: 1, _id: 1 } as const;
  const [at] = plantedRequests();
  let connection: Connection;
  beforeAll(async () => {
    connection = await database.open();
    requestsCollection(connection);
    await ensureIndexes(connection, { optional: true });
    await connection.collection<{ _id: string }>('requests').insertMany(plantedRequests(600));
  });
  afterAll(() => database.close());
  const explained = async (filter: object, sort: typeof received | typeof due) => {
    const plan = await connection.collection('requests').find(filter, { sort, limit: PAGE }).explain('executionStats');
    return (plan as { executionStats: { nReturned: number; totalDocsExamined: number } }).executionStats;
  };

  it.each([
    ['of all', { receivedAt: { $gte: new Date(0), $lte: new Date() } }, received],
    ['of one workspace', { ws: 'ws1', receivedAt: { $gte: new Date(0), $lte: new Date() } }, received],
    ['behind a time', { ws: 'ws1', receivedAt: { $lt: new Date('2026-11-05T00:00:00Z') } }, received],
    ['by legal date', { ...OPEN_FILTER, dueBy: { $gte: new Date(0) } }, due],
    ['of one workspace by legal date', { ws: 'ws1', ...OPEN_FILTER, dueBy: { $gte: new Date(0) } }, due],
  ])('%s reads its own documents and no other, in the order of an index', async (_what, filter, sort) => {
    const stats = await explained(filter, sort);
    expect([stats.nReturned, stats.totalDocsExamined]).toEqual([PAGE, PAGE]);
    expect(JSON.stringify(stats)).not.toMatch(/"stage":"(SORT|COLLSCAN)"/);
  });

  it('within a time of many reads no other time', async () => {
    const stats = await explained({ receivedAt: at?.receivedAt, _id: { $lt: 'ws2:' } }, received);
    expect([stats.nReturned, stats.totalDocsExamined]).toEqual([2, 2]);
  });

  it.each([
    ['of all', {}],
    ['of one workspace', { ws: 'ws1' }],
  ])('and the counts %s read an index', async (_what, of) => {
    const counting = connection
      .collection('requests')
      .aggregate([
        { $match: { ...of, ...OPEN_FILTER, dueBy: { $gte: new Date(0), $lt: new Date('2026-11-02T00:00:00Z') } } },
        { $limit: 1_000 },
        { $group: { _id: 1, n: { $sum: 1 } } },
      ]);
    const plan = JSON.stringify(await counting.explain('executionStats'));
    expect(plan).not.toContain('"stage":"COLLSCAN"');
    const keys = Math.max(...[...plan.matchAll(/"totalKeysExamined":(\d+)/g)].map(([, count]) => Number(count)));
    expect(keys).toBeLessThanOrEqual(13);
  });

  const all = { $gte: new Date(-8.64e15), $lt: new Date(8.64e15) };
  it.each([
    ['what is overdue', { ...OPEN_FILTER, dueBy: all }],
    ['what is at risk', { status: 'pending', atRiskAt: { $lte: new Date(8.64e15) } }],
    ['what is at risk of one workspace', { ws: 'ws1', status: 'in_progress', atRiskAt: { $lte: new Date(8.64e15) } }],
  ])('and the counts without a limit of %s read no document', async (_what, of) => {
    const counting = connection
      .collection('requests')
      .aggregate([{ $match: of }, { $group: { _id: 1, n: { $sum: 1 } } }]);
    const plan = JSON.stringify(await counting.explain('executionStats'));
    expect(plan).not.toContain('"stage":"COLLSCAN"');
    expect(plan).toMatch(/"nReturned":[1-9]/);
    expect(plan).not.toMatch(/"totalDocsExamined":[1-9]/);
  });
});
