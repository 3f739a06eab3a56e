import { ensureIndexes } from '@opendsr-service/storage';
import { mongodbDatabase } from '@opendsr-service/storage/testing';
import type { Connection } from 'mongoose';
import { requestsCollection } from '../../admission/requests-collection.store';
import { plantedRequests, throughputContract } from './throughput.contract';

throughputContract('MongoDB', mongodbDatabase('throughput'));

describe('the count of a day', () => {
  const database = mongodbDatabase('throughput-plans');
  const day = { $gte: new Date('2026-11-12T00:00:00Z'), $lt: new Date('2026-11-13T00:00:00Z') };
  let connection: Connection;
  beforeAll(async () => {
    connection = await database.open();
    requestsCollection(connection);
    await ensureIndexes(connection, { optional: true });
    await connection.collection<{ _id: string }>('requests').insertMany([...plantedRequests()]);
  });
  afterAll(() => database.close());

  it.each([
    ['received, of all', { receivedAt: day }],
    ['received, of one workspace', { ws: 'ws1', receivedAt: day }],
    ['completed, of all', { completedAt: day }],
    ['completed, of one workspace', { ws: 'ws1', completedAt: day }],
    ['cancelled, of all', { cancelledAt: day }],
    ['cancelled, of one workspace', { ws: 'ws1', cancelledAt: day }],
  ])('%s reads the entries of an index that it counts, and no document', async (_what, of) => {
    const requests = connection.collection('requests');
    const count = await requests.countDocuments(of);
    expect(count).toBeGreaterThan(0);
    const counting = requests.aggregate([{ $match: of }, { $group: { _id: 1, n: { $sum: 1 } } }]);
    const plan = JSON.stringify(await counting.explain('executionStats'));
    expect(plan).not.toContain('"stage":"COLLSCAN"');
    const most = (of: string) =>
      Math.max(...[...plan.matchAll(new RegExp(`"${of}":(\\d+)`, 'g'))].map(([, n]) => Number(n)));
    expect(most('totalDocsExamined')).toBe(0);
    expect(most('totalKeysExamined')).toBeLessThanOrEqual(count + 1);
  });
});
