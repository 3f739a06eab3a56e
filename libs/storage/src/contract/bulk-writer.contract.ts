import { BulkWriter } from '../bulk-writer';
import { duplicateKey } from '../errors';
import { type Collection, opened, refusal, type Subject } from './subject';

interface Counter {
  readonly _id: string;
  readonly n: number;
}

export function bulkWriterContract(subject: Subject): void {
  describe(`the bulk writer on ${subject.kind}`, () => {
    const { collection } = opened(subject);
    const writerOn = (target: object, maxWrites?: number) =>
      new BulkWriter<Counter>(target as ConstructorParameters<typeof BulkWriter<Counter>>[0], maxWrites);
    const stored = async (c: Collection) => (await c.find({}).sort({ _id: 1 }).toArray()) as unknown;
    const ids = (count: number) => Array.from({ length: count }, (_, n) => `id-${n}`);

    /** The collection, with the names of the writes that are sent to it. */
    const watched = (c: Collection) => {
      const sent: string[] = [];
      const proxy = new Proxy(c, {
        get: (target, name) => {
          const member = Reflect.get(target, name, target) as unknown;
          if (typeof member !== 'function') return member;
          return (...args: unknown[]): unknown => {
            sent.push(Array.isArray(args[0]) ? `${String(name)} ${args[0].length}` : String(name));
            return member.apply(target, args) as unknown;
          };
        },
      });
      return { proxy, sent };
    };

    it('sends a write that comes alone alone, those that come together as one, and no more at once than its limit', async () => {
      const c = await collection();
      const { proxy, sent } = watched(c);
      const writer = writerOn(proxy, 3);
      await writer.insert({ _id: 'alone', n: 0 });
      await Promise.all(ids(4).map((_id) => writer.insert({ _id, n: 0 })));
      expect(await writer.update({ _id: 'alone' }, { $set: { n: 1 } })).toBe('applied');
      expect(sent).toEqual(['insertOne', 'bulkWrite 3', 'insertOne', 'updateOne']);
      expect(await c.countDocuments({ n: 0 })).toBe(4);
    });

    it('refuses each duplicate with the key that it repeats, and inserts all others', async () => {
      const c = await collection();
      await c.createIndex({ n: 1 }, { unique: true });
      const writer = writerOn(c);
      await writer.insert({ _id: 'a', n: 1 });
      const answers = await Promise.all(
        [
          { _id: 'a', n: 2 },
          { _id: 'b', n: 1 },
          { _id: 'c', n: 3 },
          { _id: 'c', n: 4 },
        ].map((document) =>
          writer.insert(document).then(
            () => 'inserted',
            (error: unknown) => duplicateKey(error)?.keyPattern,
          ),
        ),
      );
      expect(answers).toEqual([{ _id: 1 }, { n: 1 }, 'inserted', { _id: 1 }]);
      expect(await stored(c)).toEqual([
        { _id: 'a', n: 1 },
        { _id: 'c', n: 3 },
      ]);
    });

    it('confirms updates where all of a bulk write matched, beside inserts and a duplicate too', async () => {
      const c = await collection();
      const writer = writerOn(c);
      await Promise.all(ids(3).map((_id) => writer.insert({ _id, n: 0 })));
      const [first, second, inserted, duplicate] = await Promise.all([
        writer.update({ _id: 'id-0', n: 0 }, { $set: { n: 1 } }),
        writer.update({ _id: 'id-1', n: 0 }, { $set: { n: 1 } }),
        writer.insert({ _id: 'new', n: 1 }),
        writer.insert({ _id: 'id-2', n: 9 }).catch((error: unknown) => duplicateKey(error) !== undefined),
      ]);
      expect([first, second, inserted, duplicate]).toEqual(['applied', 'applied', undefined, true]);
      expect(await c.countDocuments({ n: 1 })).toBe(3);
    });

    it('does not know which updates were applied where one did not match, but that none was where none did', async () => {
      const c = await collection();
      const writer = writerOn(c);
      await Promise.all(ids(2).map((_id) => writer.insert({ _id, n: 0 })));
      expect(
        await Promise.all([
          writer.update({ _id: 'id-0', n: 0 }, { $set: { n: 1 } }),
          writer.update({ _id: 'id-1', n: 7 }, { $set: { n: 8 } }),
        ]),
      ).toEqual(['unknown', 'unknown']);
      const missing = () => writer.update({ _id: 'id-1', n: 7 }, { $set: { n: 8 } });
      expect(await Promise.all([missing(), missing()])).toEqual(['unmatched', 'unmatched']);
      expect(await missing()).toBe('unmatched');
      expect(await stored(c)).toEqual([
        { _id: 'id-0', n: 1 },
        { _id: 'id-1', n: 0 },
      ]);
    });

    it('inserts what is new, and says which documents were there, with one command', async () => {
      const c = await collection();
      const { proxy, sent } = watched(c);
      const writer = writerOn(proxy);
      expect(await writer.insertNew({ _id: 'id-0', n: 0 })).toBe(true);
      expect(await writer.insertNew({ _id: 'id-0', n: 7 })).toBe(false);
      sent.length = 0;
      const [there, isNew, updated] = await Promise.all([
        writer.insertNew({ _id: 'id-0', n: 7 }),
        writer.insertNew({ _id: 'id-1', n: 7 }),
        writer.update({ _id: 'id-0', n: 0 }, { $set: { n: 1 } }),
      ]);
      expect([there, isNew, updated, sent]).toEqual([false, true, 'applied', ['bulkWrite 3']]);
      expect(await stored(c)).toEqual([
        { _id: 'id-0', n: 1 },
        { _id: 'id-1', n: 7 },
      ]);
    });

    it('sends updates that differ in the document alone as one statement, each with its answer', async () => {
      const c = await collection();
      const { proxy, sent } = watched(c);
      const writer = writerOn(proxy);
      await c.insertMany(ids(4).map((_id) => ({ _id: _id as never, ws: _id === 'id-3' ? 'other' : 'acme', n: 0 })));
      const raise = (_id: string, ws: string, n: number, to = n + 1) =>
        writer.updateAlike({ _id, ws, n }, { $set: { n: to } });
      const all = [raise('id-0', 'acme', 0), raise('id-1', 'acme', 0), raise('id-3', 'other', 0)];
      expect(await Promise.all([...all, raise('id-2', 'acme', 0, 5)])).toEqual(Array(4).fill('applied'));
      expect(sent).toEqual(['bulkWrite 2']);
      expect(await raise('id-0', 'acme', 1)).toBe('applied');
      expect(await Promise.all([raise('id-0', 'acme', 2), raise('id-1', 'acme', 9)])).toEqual(['unknown', 'unknown']);
      expect(await Promise.all([raise('id-0', 'acme', 9), raise('id-1', 'other', 1)])).toEqual([
        'unmatched',
        'unmatched',
      ]);
      expect(await stored(c)).toMatchObject([{ n: 3 }, { n: 1 }, { n: 5 }, { n: 1 }]);
    });

    it('rejects all writes of a bulk write that failed as a whole, and goes on with the next', async () => {
      const c = await collection();
      let away = true;
      const bulkWrite = (...args: Parameters<Collection['bulkWrite']>) =>
        away ? Promise.reject(new Error('away')) : c.bulkWrite(...args);
      const writer = writerOn({ bulkWrite });
      const both = (): Promise<unknown>[] => ids(2).map((_id) => writer.insert({ _id, n: 0 }));
      expect(await Promise.all(both().map((write) => refusal(write)))).toEqual([
        expect.objectContaining({ message: 'away' }),
        expect.objectContaining({ message: 'away' }),
      ]);
      away = false;
      await Promise.all(both());
      expect(await c.countDocuments({})).toBe(2);
    });
  });
}
