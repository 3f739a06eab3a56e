import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { ensureIndexes, openStorage, type Storage } from '@opendsr-service/storage';
import type { Connection } from 'mongoose';
import type { LogRecord, Verdict } from '../records';
import { ServerAway } from '../testing/listener';
import { Replica } from '../testing/replica';
import { followsParked } from './parking';
import { ParkedAdmin } from './parked-admin.store';
import { parkedId, type ParkedRecord } from './parked-record';
import type { RedriveCall } from './redrive-call.store';
import { LEASE_MS } from './redrive.store';

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

/** What an operator's redrive does, on every store, with two replicas of a service. */
export function redriveContract(name: string, options: () => Parameters<typeof openStorage>[0]): void {
  describe(`redriving parked records on ${name}`, () => {
    const storages: Storage[] = [];
    const connections: Connection[] = [];
    let group: string;
    let nowMs: number;
    let handled: string[];
    /** What is said about the records that are named; all others are done. */
    let answers: Record<string, Verdict | Error>;
    let one: Replica;
    let other: Replica;
    let admin: ParkedAdmin;

    beforeAll(async () => {
      const same = options();
      for (let i = 0; i < 2; i++) {
        const storage = await openStorage(same);
        storages.push(storage);
        connections.push(await storage.database('redriving'));
      }
    });
    afterAll(() => Promise.all(storages.map((storage) => storage.close())));

    const now = () => nowMs;
    const answer = async ({ value }: LogRecord): Promise<Verdict> => {
      const said = answers[value.toString()] ?? 'done';
      await nextTurn();
      if (said instanceof Error) throw said;
      if (said === 'done') handled.push(value.toString());
      return said;
    };

    beforeEach(async () => {
      [group, nowMs, handled, answers] = [randomUUID(), 1_000, [], {}];
      const [first, second] = connections as [Connection, Connection];
      one = new Replica({ connection: first, group, now, answer });
      other = new Replica({ connection: second, group, now, answer });
      admin = new ParkedAdmin(first, now);
      await ensureIndexes(first);
    });

    const idOf = (of: LogRecord) => parkedId(group, of);
    const raw = () => (connections[0] as Connection).collection<ParkedRecord>('parked');
    const left = async () =>
      (await raw().find({ group }).sort({ sortKey: 1 }).toArray()).map(
        ({ key, offset, reason }) => `${key}${offset} ${reason}`,
      );
    const kindsOf = async (offset: string) => (await raw().find({ group, offset }).toArray()).map(({ kind }) => kind);
    const markAll = async (): Promise<RedriveCall> => {
      const call = admin.startRedrive();
      for await (const page of admin.listPages({ groups: [group] })) await call.mark(page);
      return call;
    };

    it('handles the cause first, then its followers in the order of the event log, and unblocks the key', async () => {
      answers['k9'] = odd;
      await one.consume(record('k', 9), record('k', 10), record('q', 11), record('k', 12), record('k', 100));
      expect([handled, await left()]).toEqual([
        ['q11'],
        ['k9 odd', `k10 ${followsParked}`, `k12 ${followsParked}`, `k100 ${followsParked}`],
      ]);
      delete answers['k9'];
      expect([(await markAll()).marked, (await markAll()).marked]).toEqual([1, 0]);
      await other.redrive();
      await one.consume(record('k', 101));
      expect([handled, await left()]).toEqual([['q11', 'k9', 'k10', 'k12', 'k100', 'k101'], []]);
    });

    it('handles no record that is not marked', async () => {
      answers['k1'] = odd;
      await one.consume(record('k', 1), record('k', 2));
      delete answers['k1'];
      await one.redrive();
      expect([handled, await left()]).toEqual([[], ['k1 odd', `k2 ${followsParked}`]]);
    });

    it('parks a record that fails again with its new reason at its position, and blocks later ones', async () => {
      answers['k1'] = odd;
      await one.consume(record('k', 1), record('k', 2));
      answers['k1'] = new TypeError('broken');
      const call = await markAll();
      await one.redrive();
      await one.consume(record('k', 3));
      expect([handled, await left()]).toEqual([
        [],
        ['k1 failed:TypeError', `k2 ${followsParked}`, `k3 ${followsParked}`],
      ]);
      expect(await call.progress()).toEqual({
        waiting: 0,
        parkedAgain: 1,
        behind: { waiting: 0, parkedAgain: 0 },
      });
      expect(await raw().findOne({ _id: idOf(record('k', 1)) })).toMatchObject({ at: new Date(1_000) });
    });

    it('stops at the first follower that fails, and reports it', async () => {
      answers['k1'] = odd;
      await one.consume(record('k', 1), record('k', 2), record('k', 3));
      answers = { k2: { park: 'odder' } };
      const call = await markAll();
      await one.redrive();
      expect([handled, await left()]).toEqual([['k1'], ['k2 odder', `k3 ${followsParked}`]]);
      expect(await call.progress()).toEqual({
        waiting: 0,
        parkedAgain: 0,
        behind: { waiting: 0, parkedAgain: 1 },
      });
    });

    it('handles records that a consumer parked behind one already removed', async () => {
      answers['k1'] = odd;
      await one.consume(record('k', 1));
      delete answers['k1'];
      expect(await one.parking.parkedKeys(group, 'events', ['k'])).toEqual(new Set(['k']));
      await markAll();
      await other.redrive();
      await one.parking.park(group, record('k', 2), followsParked);
      await one.parking.park(group, record('k', 3), followsParked);
      await other.redrive();
      expect([handled, await left()]).toEqual([['k1', 'k2', 'k3'], []]);
    });

    it('continues after a worker died between the effect and the mark of the next record', async () => {
      answers['k1'] = odd;
      await one.consume(record('k', 1), record('k', 2));
      await markAll();
      const [claimed] = await one.redrives.claimDue(group, 10);
      await raw().updateOne({ _id: idOf(record('k', 1)), token: claimed?.token }, { $set: { done: true } });
      await other.redrive();
      expect(handled).toEqual([]);
      nowMs += LEASE_MS + 1;
      await other.redrive();
      expect([handled, await left()]).toEqual([['k2'], []]);
    });

    it('repeats the record of a dead worker after its lease; a worker that comes back late changes nothing', async () => {
      answers['k1'] = odd;
      await one.consume(record('k', 1), record('k', 2));
      delete answers['k1'];
      await markAll();
      const [late] = await one.redrives.claimDue(group, 10);
      if (!late) throw new Error('nothing was claimed');
      nowMs += LEASE_MS - 1;
      await one.redrives.extendClaim(late);
      nowMs += LEASE_MS - 1;
      await other.redrive();
      expect(handled).toEqual([]);
      nowMs += 2;
      answers['k1'] = odd;
      await other.redrive();
      await one.redrives.complete(late);
      await one.redrives.reschedule(late, 1);
      await one.redrives.parkAgain(late, 'late', true);
      expect([handled, await left()]).toEqual([[], ['k1 odd', `k2 ${followsParked}`]]);
    });

    it('reschedules a record while a server is away, parks nothing for it, and tries again', async () => {
      answers['k1'] = odd;
      await one.consume(record('k', 1), record('k', 2));
      answers['k1'] = new ServerAway('away');
      const call = await markAll();
      await one.redrive();
      expect([handled, await left(), await call.progress()]).toMatchObject([
        [],
        ['k1 odd', `k2 ${followsParked}`],
        { waiting: 1, parkedAgain: 0 },
      ]);
      delete answers['k1'];
      await one.redrive();
      expect(handled).toEqual([]);
      nowMs += 1_000;
      await one.redrive();
      expect([handled, await left()]).toEqual([['k1', 'k2'], []]);
    });

    it('waits a second at first, also for a record that waited longer before it was parked again', async () => {
      const redriveWhileAway = async (...waitsMs: number[]) => {
        answers['k1'] = new ServerAway('away');
        await markAll();
        await one.redrive();
        for (const waitMs of waitsMs) {
          nowMs += waitMs;
          await one.redrive();
        }
      };
      answers['k1'] = odd;
      await one.consume(record('k', 1));
      await redriveWhileAway(1_000, 2_000);
      answers['k1'] = odd;
      nowMs += 4_000;
      await one.redrive();
      await redriveWhileAway();
      delete answers['k1'];
      nowMs += 1_000;
      await one.redrive();
      expect([handled, await left()]).toEqual([['k1'], []]);
    });

    it('handles no record before an earlier one of its key, marked or not, blocked or aside', async () => {
      answers = { k1: odd, k2: { park: 'forged', aside: true }, q3: { park: 'forged', aside: true } };
      await one.consume(record('k', 1));
      await one.parking.park(group, record('k', 2), 'forged', true);
      await one.parking.park(group, record('k', 4), 'other');
      await one.consume(record('q', 3));
      answers = {};
      await raw().updateMany({ group, offset: { $in: ['2', '3', '4'] } }, { $set: { redriveAt: new Date(0) } });
      await one.redrive();
      expect(handled).toEqual(['q3']);
      await markAll();
      await one.redrive();
      nowMs += 60_000;
      await one.redrive();
      expect([handled.slice(0, 2), handled.length, await left()]).toEqual([['q3', 'k1'], 4, []]);
    });

    it('continues with the next record if the cause is now parked aside, also after a crash in between', async () => {
      answers['k1'] = odd;
      await one.consume(record('k', 1), record('k', 2));
      answers['k1'] = { park: 'forged', aside: true };
      await markAll();
      await raw().updateOne({ _id: idOf(record('k', 1)) }, { $set: { aside: true } });
      await other.redrive();
      expect([handled, await left()]).toEqual([['k2'], ['k1 forged']]);
      expect(await kindsOf('1')).toEqual(['aside']);
      answers['k1'] = odd;
      await markAll();
      await other.redrive();
      expect([await left(), await kindsOf('1')]).toEqual([['k1 odd'], ['blocking']]);
    });

    it('handles a repeated record that is older than a parked one of its key', async () => {
      answers['k5'] = odd;
      await one.consume(record('k', 5), record('k', 6));
      await one.consume(record('k', 4), record('k', 5), record('k', 6));
      await other.redrive();
      expect([handled, await left()]).toEqual([['k4'], ['k5 odd', `k6 ${followsParked}`]]);
    });

    it('counts the records behind a record, and marks a follower that is first', async () => {
      for (const n of [10, 9, 100]) await one.parking.park(group, record('k', n), n === 9 ? 'odd' : followsParked);
      const [head] = await raw().find({ group, offset: '9' }).toArray();
      expect(await admin.countBehind(head as ParkedRecord, 5)).toBe(2);
      await one.parking.park(group, record('q', 1), followsParked);
      await raw().updateMany({ group }, { $unset: { redriveAt: 1 } });
      expect((await markAll()).marked).toBe(2);
      await one.redrive();
      expect([handled.toSorted(), await left()]).toEqual([['k10', 'k100', 'k9', 'q1'], []]);
    });

    it('drops a record without handling it and continues behind it, but not while it is claimed', async () => {
      answers['k1'] = odd;
      await one.consume(record('k', 1), record('k', 2));
      await markAll();
      await one.redrives.claimDue(group, 10);
      expect(await admin.drop(idOf(record('k', 1)))).toBe(false);
      nowMs += LEASE_MS;
      expect(await admin.drop(idOf(record('k', 1)))).toBe(true);
      expect([await admin.drop(idOf(record('k', 1))), await admin.findById(idOf(record('k', 1)))]).toEqual([
        false,
        null,
      ]);
      await other.redrive();
      expect([handled, await left()]).toEqual([['k2'], []]);
    });

    it('keeps the order of each key while a consumer and two replicas work at once, and loses no record', async () => {
      const keys = ['a', 'b', 'c', 'd'];
      keys.forEach((key, n) => (answers[`${key}${n}`] = odd));
      await one.consume(...keys.map(record));
      answers = {};
      await markAll();
      let more = true;
      const work = async (replica: Replica) => {
        while (more || (await left()).length > 0) if ((await replica.worker.runOnce()) === 0) await nextTurn();
      };
      const working = [work(one), work(other)];
      for (let offset = 4; offset < 64; offset += 4) {
        const { fault } = await (offset % 8 ? one : other).consume(...keys.map((key, n) => record(key, offset + n)));
        expect(fault).toBeUndefined();
      }
      more = false;
      await Promise.all(working);
      const wanted = keys.flatMap((key, n) => Array.from({ length: 16 }, (_, round) => `${key}${round * 4 + n}`));
      expect(keys.flatMap((key) => handled.filter((value) => value.startsWith(key)))).toEqual(wanted);
    });
  });
}
