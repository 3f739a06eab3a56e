import { randomUUID } from 'node:crypto';
import { ensureIndexes, openStorage, type Storage } from '@opendsr-service/storage';
import type { Connection } from 'mongoose';
import type { LogRecord, Verdict } from '../records';
import { ServerAway } from '../testing/listener';
import { Replica } from '../testing/replica';
import { followsParked } from './parking';
import { ParkedAdmin } from './parked-admin.store';
import { parkedId, type ParkedRecord } from './parked-record';
import type { RedriveCall } from './redrive-call.store';

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
    const markAll = async (): Promise<RedriveCall> => {
      const call = admin.startRedrive();
      for await (const page of admin.listPages({ groups: [group] })) await call.mark(page);
      return call;
    };
    const counts = ({ marked, markedAlready }: RedriveCall) => [marked, markedAlready];

    it('makes a later call wait for records that were marked before it, while the earlier one still waits', async () => {
      answers = { k1: odd, q3: odd };
      await one.consume(record('k', 1), record('k', 2), record('q', 3));
      answers = { k1: new ServerAway('away') };
      const first = await markAll();
      await one.redrive();
      const second = await markAll();
      expect([first, second].map(counts)).toEqual([
        [2, 0],
        [0, 1],
      ]);
      for (const call of [first, second])
        expect(await call.progress()).toEqual({ waiting: 1, parkedAgain: 0, behind: none });
      nowMs += 1_000;
      answers = { k2: odd };
      await one.redrive();
      for (const call of [first, second])
        expect(await call.progress()).toEqual({ ...none, behind: { waiting: 0, parkedAgain: 1 } });
      const third = await markAll();
      expect(counts(third)).toEqual([1, 0]);
      expect(await first.progress()).toEqual({ ...none, behind: { waiting: 1, parkedAgain: 0 } });
      answers = {};
      await one.redrive();
      for (const call of [first, second, third]) expect(await call.progress()).toEqual({ ...none, behind: none });
    });

    it('does not count records under the same key that failed before the call', async () => {
      answers = { k1: odd, k2: odd };
      await one.consume(record('k', 1));
      await one.parking.park(group, record('k', 2), 'odd');
      const [first] = await raw()
        .find({ _id: idOf(record('k', 1)) })
        .toArray();
      const call = admin.startRedrive();
      await call.mark([first as ParkedRecord]);
      answers = {};
      await one.redrive();
      expect(await call.progress()).toEqual({ ...none, behind: none });
    });

    it('waits for records that were redriven before the call, and that records of the call follow', async () => {
      answers['k1'] = odd;
      await one.consume(record('k', 1), record('k', 2), record('k', 3));
      answers = { k2: new ServerAway('away') };
      const first = await markAll();
      await one.redrive();
      const [last] = await raw()
        .find({ _id: idOf(record('k', 3)) })
        .toArray();
      const second = admin.startRedrive();
      await second.mark([last as ParkedRecord]);
      await second.mark([last as ParkedRecord]);
      expect(counts(second)).toEqual([0, 1]);
      expect([await first.progress(), await second.progress()]).toEqual([
        { ...none, behind: { waiting: 1, parkedAgain: 0 } },
        { waiting: 1, parkedAgain: 0, behind: none },
      ]);
      nowMs += 1_000;
      answers = { k3: odd };
      await other.redrive();
      for (const call of [first, second])
        expect(await call.progress()).toEqual({ ...none, behind: { waiting: 0, parkedAgain: 1 } });
    });

    it('waits also for a follower that a consumer marked before the worker did, during a call', async () => {
      answers['k1'] = odd;
      await one.consume(record('k', 1), record('k', 2));
      const first = await markAll();
      const [claimed] = await one.redrives.claimDue(group, 10);
      if (!claimed) throw new Error('nothing was claimed');
      const second = await markAll();
      await raw().updateOne({ _id: claimed._id }, { $set: { done: true } });
      await other.parking.park(group, record('k', 3), followsParked);
      await one.redrives.complete(claimed);
      for (const call of [first, second])
        expect(await call.progress()).toEqual({ ...none, behind: { waiting: 1, parkedAgain: 0 } });
    });
  });
}
