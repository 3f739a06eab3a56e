import { randomUUID } from 'node:crypto';
import { openStorage } from '../open-storage';
import { buildChild, removeChild, startChild } from '../testing/children';
import type { Subject } from './subject';
import { opened } from './subject';

export function processesContract(subject: Subject): void {
  describe(`processes on ${subject.kind}`, () => {
    const { collection } = opened(subject);

    beforeAll(buildChild);
    afterAll(removeChild);

    it('finds documents and indexes again after it was closed', async () => {
      const name = `c${randomUUID()}`;
      const first = await openStorage({ ...subject.options(), lock: false });
      const before = (await first.database('contract')).collection(name);
      await before.createIndex({ a: 1 }, { unique: true, partialFilterExpression: { a: { $gte: 0 } } });
      await before.insertMany([{ a: 1 }, { a: -1 }, { a: -1 }]);
      await first.close();
      const second = await openStorage({ ...subject.options(), lock: false });
      const after = (await second.database('contract')).collection(name);
      expect(await after.countDocuments({})).toBe(3);
      await expect(after.insertOne({ a: 1 })).rejects.toMatchObject({ code: 11000 });
      await second.close();
    });

    it('sees and respects what another process writes at the same time, and loses no write of either', async () => {
      const c = await collection();
      await c.insertOne({ _id: 'shared' as never, n: 0, by: [] });
      const child = startChild('increment', { ...subject.options(), lock: false }, c.collectionName);
      await child.heard(1);
      for (let n = 0; n < 50; n++) await c.updateOne({ _id: 'shared' as never }, { $inc: { n: 1 } });
      await child.ended;
      expect(child.lines).toEqual(['ready']);
      expect(await c.findOne({ _id: 'shared' as never })).toMatchObject({ n: 100, by: { length: 50 } });
    });

    it('uses an index that another process made after this one had read the catalog', async () => {
      const c = await collection();
      await c.insertOne({ a: 1 });
      const other = await openStorage({ ...subject.options(), lock: false });
      await (await other.database('contract')).collection(c.collectionName).createIndex({ a: 1 }, { unique: true });
      await expect(c.insertOne({ a: 1 })).rejects.toMatchObject({ code: 11000 });
      await other.close();
    });

    it('keeps every write that was acknowledged before kill -9 in mid-write', async () => {
      const c = await collection();
      await c.createIndex({ slot: 1 }, { unique: true });
      const child = startChild('write', { ...subject.options(), lock: false }, c.collectionName);
      await child.heard(300);
      child.process.kill('SIGKILL');
      await child.ended;
      const acknowledged = child.lines.slice(1);
      expect(acknowledged.length).toBeGreaterThanOrEqual(299);
      expect(
        await c.countDocuments({ _id: { $in: acknowledged as never[] }, changed: true, slot: { $in: acknowledged } }),
      ).toBe(acknowledged.length);
      await expect(c.insertOne({ slot: acknowledged[0] })).rejects.toMatchObject({ code: 11000 });
    });
  });
}
