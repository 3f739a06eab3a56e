import { ensureIndexes } from '@opendsr-service/storage';
import { mongodbDatabase } from '@opendsr-service/storage/testing';
import type { Connection } from 'mongoose';
import { requestsCollection } from '../admission/requests-collection.store';
import { ageingMeasuresContract } from './ageing-measures.contract';
import { requestMeasuresContract } from './admission-measures.contract';

requestMeasuresContract('MongoDB', mongodbDatabase('measures'));
ageingMeasuresContract('MongoDB', mongodbDatabase('ageing'));

const LEGAL = { workspaceClass: 'gold', countedBy: 'gdpr', type: 'access' };

describe('the counts', () => {
  const database = mongodbDatabase('counts');
  let connection: Connection;
  beforeAll(async () => {
    connection = await database.open();
    requestsCollection(connection);
    await ensureIndexes(connection);
    const statuses = ['pending', 'in_progress', 'completed', 'cancelled'];
    await connection.collection('requests').insertMany(
      Array.from({ length: 40 }, (_, n) => ({
        status: statuses[n % 4],
        type: 'access',
        expectedAt: new Date(n),
        ws: 'acme',
        workspaceClass: 'gold',
        countedBy: 'gdpr',
        atRiskAt: new Date(n),
        dueBy: new Date(n + 10),
      })),
    );
  });
  afterAll(() => database.close());

  it.each([
    ['of what is open', { status: 'pending', type: 'access' }, 10],
    ['of what is late', { status: 'in_progress', type: 'access', expectedAt: { $lt: new Date(20) } }, 5],
    ['of what is open by legal date', { ...LEGAL, status: 'pending' }, 10],
    ['of what is at risk', { ...LEGAL, status: 'in_progress', atRiskAt: { $lte: new Date(20) } }, 5],
    [
      'of what is overdue',
      { ...LEGAL, status: 'in_progress', atRiskAt: { $lte: new Date(20) }, dueBy: { $lt: new Date(20) } },
      5,
    ],
  ])('%s read only index keys, and no document', async (_what, match, keys) => {
    const counting = connection
      .collection('requests')
      .aggregate([{ $match: match }, { $limit: 100 }, { $group: { _id: 1, n: { $sum: 1 } } }]);
    const plan = JSON.stringify(await counting.explain('executionStats'));
    const most = (figure: string) =>
      Math.max(...[...plan.matchAll(new RegExp(`"${figure}":(\\d+)`, 'g'))].map(([, count]) => Number(count)));
    expect([most('totalDocsExamined'), most('totalKeysExamined') <= keys + 1]).toEqual([0, true]);
  });
});
