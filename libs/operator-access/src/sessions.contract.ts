import { ensureIndexes } from '@opendsr-service/storage';
import type { TestDatabase } from '@opendsr-service/storage/testing';
import type { Connection } from 'mongoose';
import { Sessions } from './sessions.store';
import { SIGN_IN_MS, SignIns } from './sign-ins.store';

const MINUTE_MS = 60_000;
const IDLE_MS = 30 * MINUTE_MS;
const LONGEST_MS = 120 * MINUTE_MS;
const operator = { subject: 'ann', grants: [{ role: 'viewer', ws: 'acme' }] } as const;
const checks = { state: 'a', nonce: 'b', verifier: 'c' };

/** Sessions and sign-ins, on every store. */
export function sessionsContract(name: string, database: TestDatabase): void {
  describe(`sessions on ${name}`, () => {
    let connection: Connection;
    let nowMs = Date.UTC(2026, 10, 21);
    let sessions: Sessions;
    let signIns: SignIns;
    const now = () => nowMs;
    const count = (collection: string) => connection.collection(collection).countDocuments({});
    beforeAll(async () => {
      connection = await database.open();
      sessions = new Sessions(connection, { idleMs: IDLE_MS, longestMs: LONGEST_MS }, now);
      signIns = new SignIns(connection, now);
      await ensureIndexes(connection);
    });
    afterAll(() => database.close());

    it('keeps who it is, and only a digest of the secret', async () => {
      const { secret, session } = await sessions.begin(operator);
      expect(session).toMatchObject({ ...operator, endsAt: new Date(nowMs + LONGEST_MS) });
      expect(await sessions.use(secret)).toEqual(session);
      expect(await sessions.use(session.id)).toBeUndefined();
      const stored = JSON.stringify(await connection.collection('operator_sessions').find({}).toArray());
      expect([stored.includes(secret), stored.includes(session.csrfToken)]).toEqual([false, false]);
    });

    it('ends without a use, and with any number of uses', async () => {
      const { secret: unused } = await sessions.begin(operator);
      const { secret: used } = await sessions.begin(operator);
      const lasted = async () => {
        nowMs += IDLE_MS * 0.8;
        return (await sessions.use(used)) !== undefined;
      };
      expect(await lasted()).toBe(true);
      nowMs += IDLE_MS * 0.2;
      expect(await sessions.use(unused)).toBeUndefined();
      await sessions.use(used);
      const uses: boolean[] = [];
      while (uses.at(-1) !== false) uses.push(await lasted());
      expect(uses).toEqual([true, true, true, false]);
    });

    it('ends without a use, however many calls nobody makes by hand', async () => {
      const { secret } = await sessions.begin(operator);
      const calls: boolean[] = [];
      for (let n = 0; n < 10; n += 1) {
        nowMs += IDLE_MS * 0.1;
        calls.push((await sessions.use(secret, { background: true })) !== undefined);
      }
      expect(calls).toEqual([...Array<boolean>(9).fill(true), false]);
    });

    it('ends with a sign-out, and one everywhere ends all of the same operator', async () => {
      const [one, two, three] = [
        await sessions.begin(operator),
        await sessions.begin(operator),
        await sessions.begin(operator),
      ];
      const other = await sessions.begin({ ...operator, subject: 'bob' });
      await sessions.end(one.session);
      expect([await sessions.use(one.secret), (await sessions.use(two.secret))?.subject]).toEqual([undefined, 'ann']);
      await sessions.endAll('ann');
      expect([await sessions.use(two.secret), await sessions.use(three.secret)]).toEqual([undefined, undefined]);
      expect((await sessions.use(other.secret))?.subject).toBe('bob');
    });

    it('tells which have ended, and counts that as no use', async () => {
      const [one, two, idle] = [
        await sessions.begin(operator),
        await sessions.begin(operator),
        await sessions.begin(operator),
      ];
      const alive = async () => [...(await sessions.alive([one, two, idle].map(({ session }) => session.id)))];
      await sessions.end(one.session);
      expect((await alive()).toSorted()).toEqual([two.session.id, idle.session.id].toSorted());
      nowMs += IDLE_MS * 0.8;
      await sessions.use(two.secret);
      await alive();
      nowMs += IDLE_MS * 0.2;
      expect(await alive()).toEqual([two.session.id]);
    });

    it('takes a sign-in once, by its state, and before its end', async () => {
      const [taken, late] = [await signIns.begin(checks), await signIns.begin(checks)];
      expect(await signIns.take(taken, 'other')).toBeUndefined();
      expect(await signIns.take(taken, checks.state)).toMatchObject(checks);
      nowMs += SIGN_IN_MS;
      const again = [await signIns.take(taken, checks.state), await signIns.take(late, checks.state)];
      expect(again).toEqual([undefined, undefined]);
    });

    it('removes what has ended', async () => {
      nowMs += LONGEST_MS;
      await sessions.begin(operator);
      await signIns.begin(checks);
      await sessions.removeEnded();
      await signIns.removeEnded();
      expect([await count('operator_sessions'), await count('operator_sign_ins')]).toEqual([1, 1]);
    });
  });
}
