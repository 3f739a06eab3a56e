import { randomUUID } from 'node:crypto';
import { ensureIndexes, openStorage, type Storage } from '@opendsr-service/storage';
import type { Connection } from 'mongoose';
import type { LogRecord, Verdict } from '../records';
import { ServerAway } from '../testing/listener';
import { Replica } from '../testing/replica';
import { followsParked } from './follows-parked';
import { ParkedAdmin } from './parked-admin.store';
import { parkedId, type ParkedRecord } from './parked-record';

const record = (key: string, offset: number): LogRecord => ({
  topic: 'events',
  partition: 1,
  offset: String(offset),
  key,
  value: Buffer.from(`${key}${offset}`),
  headers: {},
  timestampMs: 7,
});
const odd: Verdict = { park: 'odd' };
const none = { waiting: 0, parkedAgain: 0 };

/** What calls of operators wait for that mark the same records, on every store. */
export function waitsContract(name: string, options: () => Parameters<typeof openStorage>[0]): void {
  describe(`waiting for redriven records on ${name}`, () => {
    let storage: Storage;
    let connection: Connection;
    let group: string;
    let nowMs: number;
    /** What is said about the records that are named; all others are done. */
    let answers: Record<string, Verdict | Error>;
    let one: Replica;
    let other: Replica;
    let admin: ParkedAdmin;

    beforeAll(async () => {
      storage = await openStorage(options());
      connection = await storage.database('waiting');
    });
    afterAll(() => storage.close());

    beforeEach(async () => {
      [group, nowMs, answers] = [randomUUID(), 1_000, {}];
      const now = () => nowMs;
      const answer = ({ value }: LogRecord): Promise<Verdict> => {
        const said = answers[value.toString()] ?? 'done';
        return said instanceof Error ? Promise.reject(said) : Promise.resolve(said);
      };
      [one, other] = [new Replica({ connection, group, now, answer }), new Replica({ connection, group, now, answer })];
      admin = new ParkedAdmin(connection, now);
      await ensureIndexes(connection);
    });

    const idOf = (of: LogRecord) => parkedId(group, of);
    const raw = () => connection.collection<ParkedRecord>('parked');
    const markAll = async (run: string): Promise<number> => {
      let marked = 0;
      for await (const page of admin.listPages({ groups: [group] })) marked += await admin.markForRedrive(page, run);
      return marked;
    };
    const joinAll = async (run: string): Promise<number> => {
      let joined = 0;
      for await (const page of admin.listPages({ groups: [group] })) joined += await admin.join(page, run);
      return joined;
    };

    it('has a later call wait for what was marked before it, and the earlier one go on waiting', async () => {
      answers = { k1: odd, q3: odd };
      await one.consume(record('k', 1), record('k', 2), record('q', 3));
      answers = { k1: new ServerAway('away') };
      expect([await markAll('first'), await joinAll('first')]).toEqual([2, 0]);
      await one.redrive();
      expect([await markAll('second'), await joinAll('second'), await joinAll('second')]).toEqual([0, 1, 0]);
      for (const run of ['first', 'second'])
        expect(await admin.progress([group], run)).toEqual({ waiting: 1, parkedAgain: 0, behind: none });
      nowMs += 1_000;
      answers = { k2: odd };
      await one.redrive();
      for (const run of ['first', 'second'])
        expect(await admin.progress([group], run)).toEqual({ ...none, behind: { waiting: 0, parkedAgain: 1 } });
      expect([await markAll('third'), await joinAll('third')]).toEqual([1, 0]);
      expect(await admin.progress([group], 'first')).toEqual({ ...none, behind: { waiting: 1, parkedAgain: 0 } });
      answers = {};
      await one.redrive();
      for (const run of ['first', 'second', 'third'])
        expect(await admin.progress([group], run)).toEqual({ ...none, behind: none });
    });

    it('waits for those who went on before the call, and for whom the call’s own records only follow', async () => {
      answers['k1'] = odd;
      await one.consume(record('k', 1), record('k', 2), record('k', 3));
      answers = { k2: new ServerAway('away') };
      await markAll('first');
      await one.redrive();
      const [last] = await raw()
        .find({ _id: idOf(record('k', 3)) })
        .toArray();
      expect([
        await admin.markForRedrive([last as ParkedRecord], 'second'),
        await admin.join([last as ParkedRecord], 'second'),
        await joinAll('second'),
      ]).toEqual([0, 1, 0]);
      expect([await admin.progress([group], 'first'), await admin.progress([group], 'second')]).toEqual([
        { ...none, behind: { waiting: 1, parkedAgain: 0 } },
        { waiting: 1, parkedAgain: 0, behind: none },
      ]);
      nowMs += 1_000;
      answers = { k3: odd };
      await other.redrive();
      for (const run of ['first', 'second'])
        expect(await admin.progress([group], run)).toEqual({ ...none, behind: { waiting: 0, parkedAgain: 1 } });
    });

    it('waits for who follows also where a consumer marked him before the worker did, and a call came while it was at work', async () => {
      answers['k1'] = odd;
      await one.consume(record('k', 1), record('k', 2));
      await markAll('first');
      const [claimed] = await one.redrives.claimDue(group, 10);
      if (!claimed) throw new Error('nothing was claimed');
      await joinAll('second');
      await raw().updateOne({ _id: claimed._id }, { $set: { done: true } });
      await other.parking.park(group, record('k', 3), followsParked);
      await one.redrives.complete(claimed);
      for (const run of ['first', 'second'])
        expect(await admin.progress([group], run)).toEqual({ ...none, behind: { waiting: 1, parkedAgain: 0 } });
    });

    it('keeps of calls that are over no more than those of the last hour', async () => {
      answers['k1'] = odd;
      await one.consume(record('k', 1));
      const runs = [1_000, 61_000].map((untilMs) => ParkedAdmin.runUntil(new Date(untilMs))) as [string, string];
      await markAll(runs[0]);
      nowMs += 3_600_000;
      await joinAll(runs[1]);
      expect(await admin.progress([group], runs[0])).toMatchObject({ waiting: 1 });
      nowMs += 1;
      const last = ParkedAdmin.runUntil(new Date(nowMs));
      await joinAll(last);
      expect(await raw().findOne({ _id: idOf(record('k', 1)) })).toMatchObject({ runs: [runs[1], last] });
    });
  });
}
