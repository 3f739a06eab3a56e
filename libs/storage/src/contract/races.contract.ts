import mongoose from 'mongoose';
import { DueTimes } from '../due-times';
import { duplicateKey } from '../errors';
import { openStorage } from '../open-storage';
import { ensureIndexes } from '../indexes';
import type { Storage } from '../storage';
import type { Collection, Subject } from './subject';
import { opened } from './subject';

interface Job {
  _id: string;
  ws: string;
  dueAt?: Date;
  token?: string;
  kid?: string;
}

const jobs = new mongoose.Schema<Job>({ _id: String, ws: String, dueAt: Date, token: String, kid: String }).index(
  { dueAt: 1 },
  { partialFilterExpression: { dueAt: { $exists: true } } },
);

export function racesContract(subject: Subject): void {
  describe(`races on ${subject.kind}`, () => {
    const { collection, connection, storage } = opened(subject);
    let other: Storage;

    beforeAll(async () => {
      other = await openStorage({ ...subject.options(), lock: false });
    });
    afterAll(() => other.close());

    /** The same collection over two connections that know nothing of each other. */
    const both = async (): Promise<[Collection, Collection]> => {
      const mine = await collection();
      return [mine, (await other.database('contract')).collection(mine.collectionName)];
    };

    it('lets one of many writers win each compare-and-set', async () => {
      const [mine, theirs] = await both();
      await mine.insertOne({ _id: 1 as never, v: 0 });
      for (let v = 0; v < 10; v++) {
        const tries = Array.from({ length: 8 }, (_, n) =>
          (n % 2 ? mine : theirs).updateOne({ _id: 1 as never, v }, { $set: { v: v + 1, by: n } }),
        );
        const matched = (await Promise.all(tries)).map(({ matchedCount }) => matchedCount);
        expect(matched.filter(Boolean)).toHaveLength(1);
        expect((await theirs.findOne({ _id: 1 as never }))?.['by']).toBe(matched.indexOf(1));
      }
    });

    it('loses no increment, and makes one document of racing upserts', async () => {
      const [mine, theirs] = await both();
      await Promise.all(
        Array.from({ length: 40 }, (_, n) =>
          (n % 2 ? mine : theirs).updateOne({ _id: 'u' as never }, { $inc: { n: 1 } }, { upsert: true }),
        ),
      );
      expect(await mine.find({}).toArray()).toEqual([{ _id: 'u', n: 40 }]);
    });

    it('gives each slot to one of those who want it', async () => {
      const [mine, theirs] = await both();
      await mine.createIndex({ ws: 1, slot: 1 }, { unique: true });
      const inserts = Array.from({ length: 60 }, (_, n) =>
        (n % 2 ? mine : theirs).insertOne({ ws: 'w', slot: n % 15 }),
      );
      const outcomes = await Promise.allSettled(inserts);
      const refused = outcomes.flatMap((outcome) =>
        outcome.status === 'rejected' ? [duplicateKey(outcome.reason)] : [],
      );
      expect(refused).toEqual(Array.from({ length: 45 }, () => ({ keyPattern: { ws: 1, slot: 1 } })));
      expect(await mine.countDocuments({})).toBe(15);
    });

    it('gives what is due to one of two claimers, the oldest first, and again when the lease is over', async () => {
      const [mine, theirs] = [await connection(), await other.database('contract')].map((one) =>
        one.model<Job>('job', jobs, 'jobs'),
      );
      await ensureIndexes(await storage().database('contract'));
      await mine?.insertMany(
        Array.from({ length: 30 }, (_, n) => ({ _id: `j${n}`, ws: 'w', dueAt: new Date(1_000 + n) })),
      );
      await mine?.insertMany([
        { _id: 'later', ws: 'w', dueAt: new Date(9_000) },
        { _id: 'never', ws: 'w' },
      ]);
      const claimers = [mine, theirs].map(
        (jobs) => new DueTimes<Job>((jobs as mongoose.Model<Job>).collection, { due: 'dueAt', filter: ['ws'] }),
      );
      const claim = async (now: number): Promise<{ id: string; token: string }[]> => {
        const pages = await Promise.all(
          claimers.map((claimer) => claimer.claim(new Date(now), { limit: 20, leaseMs: 5_000 })),
        );
        return pages.flat().map(({ document, token }) => ({ id: document._id, token }));
      };
      const first = await claim(2_000);
      expect(first.map(({ id }) => id)).toEqual(expect.arrayContaining(Array.from({ length: 20 }, (_, n) => `j${n}`)));
      const second = await claim(2_000);
      // How many fall to the first two depends on which page the later of them found.
      expect([...first, ...second].map(({ id }) => id).sort()).toEqual(
        Array.from({ length: 30 }, (_, n) => `j${n}`).sort(),
      );
      expect(await claim(2_000)).toEqual([]);
      expect(await mine?.findById('j0').lean()).toMatchObject({
        dueAt: new Date(7_000),
        token: first.find(({ id }) => id === 'j0')?.token,
      });
      const again = await claim(7_000);
      expect(again.map(({ id }) => id)).toContain('j0');
      expect(again.find(({ id }) => id === 'j0')?.token).not.toBe(first.find(({ id }) => id === 'j0')?.token);
      await claimers[0]?.releaseAll(new Date(8_000));
      const released = await mine?.findById('j0').lean();
      expect(released).toMatchObject({ dueAt: new Date(8_000) });
      expect(released).not.toHaveProperty('token');
    });

    it('claims only what is chosen of those found, and leaves the others as they are', async () => {
      const model = (await connection()).model<Job>('chosen job', jobs, 'chosen-jobs');
      await ensureIndexes(await connection());
      await model.insertMany(
        Array.from({ length: 6 }, (_, n) => ({
          _id: `j${n}`,
          ws: 'w',
          kid: n < 4 ? 'full' : 'open',
          dueAt: new Date(1_000 + n),
        })),
      );
      const claimer = new DueTimes<Job>(model.collection, { due: 'dueAt', filter: ['ws'] });
      const claim = async (limit: number) =>
        (
          await claimer.claim(new Date(2_000), {
            limit,
            leaseMs: 5_000,
            choose: { by: ['kid'], from: (found) => found.filter(({ kid }) => kid === 'open') },
          })
        ).map(({ document }) => document._id);
      expect([await claim(4), await claim(5), await claim(6)]).toEqual([[], ['j4'], ['j5']]);
      expect(await model.countDocuments({ token: { $exists: false } })).toBe(4);
    });

    it('gives a claimed document as it is after the claim, though another writer changed it after it was found', async () => {
      const jobsNow = (await connection()).model<Job>('late job', jobs, 'late-jobs');
      await ensureIndexes(await connection());
      const theirs = (await other.database('contract')).collection<Job>('late-jobs');
      await jobsNow.insertMany([{ _id: 'j', ws: 'w', dueAt: new Date(1_000), kid: 'old', token: 'before' }]);
      const find = (...args: Parameters<typeof theirs.find>) => ({
        toArray: async () => {
          const found = await theirs.find(...args).toArray();
          await theirs.updateOne({ _id: 'j', ws: 'w' }, { $set: { kid: 'new' } });
          return found;
        },
      });
      const interrupted = new Proxy(jobsNow.collection, {
        get: (own, name) => (name === 'find' ? find : (Reflect.get(own, name) as unknown)),
      });
      const claimer = new DueTimes<Job>(interrupted, {
        due: 'dueAt',
        filter: ['ws'],
      });
      const [claim] = await claimer.claim(new Date(2_000), { limit: 1, leaseMs: 5_000 });
      expect(claim?.document).toMatchObject({
        _id: 'j',
        ws: 'w',
        dueAt: new Date(7_000),
        kid: 'new',
        token: claim?.token,
      });
    });

    it.each(['updateMany', 'find'] as const)(
      'gives at once what a claim left behind whose %s failed, though its write took effect',
      async (failing) => {
        const model = (await connection()).model<Job>(`lost job ${failing}`, jobs, `lost-jobs-${failing}`);
        await ensureIndexes(await connection());
        await model.insertMany(['a', 'b'].map((_id) => ({ _id, ws: 'w', dueAt: new Date(1_000) })));
        let calls = failing === 'find' ? 0 : 1;
        const failOnce = {
          updateMany: async (...args: Parameters<typeof model.collection.updateMany>) => {
            const result = await model.collection.updateMany(...args);
            if (calls++ === 1) throw new Error('planted');
            return result;
          },
          find: (...args: Parameters<typeof model.collection.find>) => {
            if (failing === 'find' && calls++ === 2) throw new Error('planted');
            return model.collection.find(...args);
          },
        };
        const collection = new Proxy(model.collection, {
          get: (own, name) => Reflect.get(name in failOnce ? failOnce : own, name) as unknown,
        });
        const claimer = new DueTimes<Job>(collection, {
          due: 'dueAt',
          filter: ['ws'],
        });
        const claim = async (): Promise<string[]> =>
          (await claimer.claim(new Date(2_000), { limit: 5, leaseMs: 5_000 })).map(({ document }) => document._id);
        await expect(claim()).rejects.toThrow('planted');
        expect(await model.findById('a').lean()).toMatchObject({ dueAt: new Date(7_000) });
        expect((await claim()).sort()).toEqual(['a', 'b']);
        expect(await claim()).toEqual([]);
      },
    );
  });
}
