import mongoose from 'mongoose';
import type { Subject } from './subject';
import { opened, refusal } from './subject';

interface Destination {
  _id: string;
  ws: string;
  pending: { seq: number; body?: Buffer }[];
  dueAt?: Date;
}

const schema = new mongoose.Schema<Destination>(
  {
    _id: String,
    ws: { type: String, required: true },
    pending: [{ _id: false, seq: Number, body: Buffer }],
    dueAt: Date,
  },
  { timestamps: true, optimisticConcurrency: true },
);

export function modelsContract(subject: Subject): void {
  describe(`mongoose models on ${subject.kind}`, () => {
    const { connection } = opened(subject);
    const destinations = async (): Promise<mongoose.Model<Destination>> =>
      (await connection()).model<Destination>('destination', schema, 'destinations');

    it('validates, casts, keeps buffers and dates, and answers lean or whole', async () => {
      const model = await destinations();
      expect(await refusal(model.create({ _id: 'x' }))).toMatchObject({ name: 'ValidationError' });
      await model.create({ _id: 'a', ws: 'w', pending: [{ seq: 1, body: Buffer.from('hi') }], dueAt: new Date(7) });
      const lean = await model.findOne({ _id: 'a', dueAt: { $lte: '1970-01-01T00:00:01Z' } }).lean();
      expect(lean).toMatchObject({ _id: 'a', ws: 'w', __v: 0, dueAt: new Date(7) });
      const whole = await model.findById('a');
      expect(whole?.pending[0]?.body?.toString()).toBe('hi');
      expect(whole?.get('createdAt')).toBeInstanceOf(Date);
    });

    it('saves with its version, so that one of two concurrent saves fails', async () => {
      const model = await destinations();
      await model.create({ _id: 'b', ws: 'w' });
      const [first, second] = [await model.findById('b').orFail(), await model.findById('b').orFail()];
      first.pending.push({ seq: 1 });
      second.pending.push({ seq: 2 });
      await first.save();
      expect(await refusal(second.save())).toMatchObject({ name: 'VersionError' });
      expect((await model.findById('b').orFail()).pending.map(({ seq }) => seq)).toEqual([1]);
    });

    it('updates, upserts, counts and deletes through queries', async () => {
      const model = await destinations();
      const upserted = await model
        .findOneAndUpdate(
          { _id: 'c', ws: 'w' },
          { $push: { pending: { seq: '4' } } },
          { upsert: true, returnDocument: 'after' },
        )
        .lean();
      expect(upserted).toMatchObject({ _id: 'c', pending: [{ seq: 4 }] });
      expect(await model.updateOne({ _id: 'c', 'pending.seq': 4 }, { $pull: { pending: { seq: 4 } } })).toMatchObject({
        matchedCount: 1,
        modifiedCount: 1,
      });
      expect(await model.exists({ _id: 'c', pending: { $size: 0 } })).not.toBeNull();
      expect(
        await model.bulkWrite([
          { updateOne: { filter: { _id: 'c' }, update: { $set: { dueAt: new Date(1) } } } },
          { deleteOne: { filter: { _id: 'none' } } },
        ]),
      ).toMatchObject({ modifiedCount: 1 });
      expect(await model.countDocuments({ _id: 'c', dueAt: new Date(1) })).toBe(1);
      expect(await model.deleteMany({ _id: { $in: ['c', 'd'] } })).toMatchObject({ deletedCount: 1 });
    });

    it('inserts many and iterates', async () => {
      const model = await destinations();
      await model.insertMany(['e1', 'e2', 'e3'].map((_id) => ({ _id, ws: 'e' })));
      const seen: string[] = [];
      for await (const destination of model.find({ ws: 'e' }).sort({ _id: -1 }).select('_id').lean().cursor())
        seen.push(destination._id);
      expect(seen).toEqual(['e3', 'e2', 'e1']);
      expect(await model.countDocuments({ ws: 'e' })).toBe(3);
    });
  });
}
