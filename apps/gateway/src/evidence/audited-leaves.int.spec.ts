import { ensureIndexes } from '@opendsr-service/storage';
import { mongodbStorage } from '@opendsr-service/storage/testing';
import { AuditStore } from '../audit/audit.store';
import { EntriesWithLeafStore } from './entries-with-leaf.store';
import { auditedLeavesContract } from './audited-leaves.contract';

interface Plan {
  readonly executionStats: object;
}

auditedLeavesContract('MongoDB', mongodbStorage);

it('reads no entry of a participant', async () => {
  const storage = await mongodbStorage();
  const connection = await storage.database('gateway');
  try {
    const participants = new AuditStore(connection);
    await ensureIndexes(connection);
    const read = { ws: 'acme', srid: 's', participant: 'crm', action: 'identities-read', requestId: 'r' } as const;
    for (let n = 0; n < 50; n += 1) await participants.add(String(n), { ...read, at: new Date(n) });
    const entries = connection.collection('audit');
    await entries.insertOne({ ws: 'acme', srid: 's', action: 'identities-shown', by: 'ops', at: new Date(0) });
    const explained = jest.spyOn(entries, 'find');
    const found: number[] = [];
    for await (const page of new EntriesWithLeafStore(connection).pages(new Date(0), new Date(), 10))
      found.push(page.length);
    const plan = (await entries.find(...(explained.mock.calls[0] as [object])).explain('executionStats')) as Plan;
    expect([found, plan.executionStats]).toMatchObject([[1], { totalDocsExamined: 1, totalKeysExamined: 1 }]);
  } finally {
    await connection.dropDatabase();
    await storage.close();
  }
});
