import { CONSUMER_GROUPS } from '@opendsr-service/contracts';
import { ParkedStore } from '@opendsr-service/messaging';
import { ManualClock, OwnProcess } from '@opendsr-service/service';
import { ensureIndexes } from '@opendsr-service/storage';
import type { TestDatabase } from '@opendsr-service/storage/testing';
import type { Connection } from 'mongoose';
import { OwnAnswers } from '../own-answers';
import { ParkedRecords } from './parked-records.store';

const at = new Date('2026-11-21T12:00:00Z');
const A = '475974fa-6b42-4370-bb56-b5d845686bb5';
const B = 'b2d19cf2-7a34-4d3a-9a52-6c8a29d3b1c1';
const [COMMANDS, REPORTS] = CONSUMER_GROUPS.request.map(({ name }) => name) as [string, string];
const FOLLOWS = 'follows-parked-record';

/** What services answer about parked records, on every store. */
export function parkedAnswersContract(name: string, database: TestDatabase): void {
  describe(`answers about parked records on ${name}`, () => {
    let connection: Connection;
    let store: ParkedStore;
    let answers: OwnAnswers;
    beforeAll(async () => {
      connection = await database.open();
      const clock = new ManualClock(at);
      const now = () => clock.now().getTime();
      store = new ParkedStore(connection, now);
      await ensureIndexes(connection);
      answers = new OwnAnswers(
        new OwnProcess('request', []),
        [{ parked: new ParkedRecords('request', connection, now) }],
        clock,
      );
    });
    beforeEach(() => connection.collection('parked').deleteMany({}));
    afterAll(() => database.close());

    const park = (key: string, offset: number, { topic = COMMANDS, reason = 'odd', aside = false } = {}) =>
      store.park(
        'request',
        {
          ...{ topic, partition: 1, offset: String(offset), key, timestampMs: 7, value: Buffer.from('secret value') },
          headers: { ce_type: 'CreateRequest', 'x-theirs': 'ann@example.com' },
        },
        reason,
        aside || undefined,
      );
    const idOf = (offset: number, topic = COMMANDS) => `request~${topic}~1~${offset}`;
    const list = async (more: object = {}) =>
      (await answers.parked({ service: 'request', limit: 50, ...more })).parked.map(({ offset }) => offset);
    const marked = async () =>
      (await answers.parked({ service: 'request', limit: 50 })).parked
        .filter((one) => one.marked)
        .map(({ offset }) => offset);

    it('show a record without its value, and the keys and headers of outsiders as hashes', async () => {
      await park(`acme:${A}`, 3);
      await park('ann@example.com', 4, { topic: REPORTS, aside: true });
      const { parked } = await answers.parked({ service: 'request', limit: 50 });
      expect(await list({ key: parked[1]?.key })).toEqual(['4']);
      expect(await list({ key: 'ann@example.com' })).toEqual([]);
      expect(parked[0]).toEqual({
        ...{ service: 'request', id: idOf(3), group: 'request', topic: COMMANDS, partition: 1, offset: '3' },
        ...{ key: `acme:${A}`, workspace: 'acme', subject_request_id: A, reason: 'odd', since: at.toISOString() },
        ...{ type: parked[0]?.type, kind: 'blocking', marked: false },
      });
      expect(parked[1]).toMatchObject({ workspace: null, subject_request_id: null, kind: 'aside' });
      const detail = await answers.parkedRecord({ service: 'request', id: idOf(4, REPORTS) });
      expect(detail).toMatchObject({ behind: 0, blocked_by: null, other_headers: 1, bytes: 12 });
      expect(JSON.stringify([parked, detail])).not.toMatch(/ann@example|secret value/);
    });

    it('are of the workspaces, the reason and the request that are asked for, in pages', async () => {
      for (let n = 0; n < 5; n += 1) await park(`acme:${A}`, n);
      await park(`other:${B}`, 5, { reason: 'version-gap' });
      await park(`acme:${B}`, 6, { reason: 'version-gap' });
      expect(await list({ workspaces: ['acme'] })).toEqual(['0', '1', '2', '3', '4', '6']);
      expect(await list({ workspaces: ['nobody'] })).toEqual([]);
      expect(await list({ reason: 'version-gap' })).toEqual(['5', '6']);
      expect(await list({ workspaces: ['acme'], srid: B })).toEqual(['6']);
      expect(await list({ workspaces: ['other'], srid: A })).toEqual([]);
      expect(await list({ key: `acme:${B}` })).toEqual(['6']);
      expect(await list({ key: `acme:${A}`, workspaces: ['other'] })).toEqual([]);
      const first = await answers.parked({ service: 'request', limit: 4 });
      expect(first.next_cursor).toBe(idOf(3));
      expect(await list({ after: first.next_cursor })).toEqual(['4', '5', '6']);
    });

    it('are of the kind that is asked for, in pages', async () => {
      await park(`acme:${A}`, 1);
      await park(`acme:${A}`, 2, { reason: FOLLOWS });
      await park(`acme:${B}`, 3);
      await park(`acme:${B}`, 4, { aside: true });
      expect(await list({ kind: 'blocking' })).toEqual(['1', '3']);
      expect(await list({ kind: 'waiting' })).toEqual(['2']);
      expect(await list({ kind: 'aside' })).toEqual(['4']);
      expect(await list({ kind: 'not-aside' })).toEqual(['1', '2', '3']);
      const two = await answers.parked({ service: 'request', kind: 'not-aside', limit: 2 });
      expect(await list({ kind: 'not-aside', after: two.next_cursor })).toEqual(['3']);
      expect(await list({ kind: 'aside', key: `acme:${A}` })).toEqual([]);
      const first = await answers.parked({ service: 'request', kind: 'blocking', limit: 1 });
      expect(first.next_cursor).toBe(idOf(1));
      expect(await list({ kind: 'blocking', after: first.next_cursor })).toEqual(['3']);
      expect(await answers.redriveRecords({ service: 'request', kind: 'aside' })).toMatchObject({ marked: 1 });
      expect(await marked()).toEqual(['4']);
    });

    it('of one request come in pages too, and all of them', async () => {
      await Promise.all(Array.from({ length: 201 }, (_, n) => park(`acme:${A}`, n + 100)));
      await park(`acme:${B}`, 500);
      const found: string[] = [];
      let after: string | undefined;
      for (const limit of [1, 150, 150]) {
        const page = await answers.parked({ service: 'request', key: `acme:${A}`, limit, after });
        expect(page.parked.length).toBeLessThanOrEqual(limit);
        found.push(...page.parked.map(({ offset }) => offset));
        after = page.next_cursor ?? undefined;
      }
      expect([found, after]).toEqual([Array.from({ length: 201 }, (_, n) => String(n + 100)), undefined]);
      expect((await answers.redriveRecords({ service: 'request', key: `acme:${A}` })).marked).toBe(201);
    });

    it('end with a page that nothing follows', async () => {
      await park(`acme:${A}`, 1);
      expect((await answers.parked({ service: 'request', limit: 50 })).next_cursor).toBeNull();
      expect(await answers.parked({ service: 'results', limit: 50 })).toEqual({ parked: [], next_cursor: null });
    });

    it('redrive a record, and refuse one that waits behind another', async () => {
      await park(`acme:${A}`, 1);
      await park(`acme:${A}`, 2, { reason: FOLLOWS });
      const ask = (offset: number) => answers.redriveRecord({ service: 'request', id: idOf(offset) });
      expect(await ask(2)).toEqual({ refused: 'blocked' });
      expect(await marked()).toEqual([]);
      expect(await ask(1)).toEqual({ marked: 1, marked_already: 0, next_cursor: null });
      expect(await ask(1)).toEqual({ marked: 0, marked_already: 1, next_cursor: null });
      expect(await ask(9)).toBeNull();
      expect(await answers.parkedRecord({ service: 'request', id: idOf(2) })).toMatchObject({ blocked_by: idOf(1) });
    });

    it('redrive many, and only those that are asked for', async () => {
      await park(`acme:${A}`, 1);
      await park(`other:${B}`, 2);
      await park(`acme:${B}`, 3, { reason: 'version-gap' });
      const question = { service: 'request', workspaces: ['acme'], reason: 'odd' } as const;
      expect(await answers.redriveRecords(question)).toEqual({ marked: 1, marked_already: 0, next_cursor: null });
      expect(await marked()).toEqual(['1']);
      expect(await answers.redriveRecords({ service: 'request', key: `other:${B}` })).toMatchObject({ marked: 1 });
      expect(await answers.redriveRecords({ service: 'request' })).toMatchObject({ marked: 1, marked_already: 2 });
    });

    it('drop a record, so that those behind it go on, but none that waits behind another', async () => {
      await park(`acme:${A}`, 1);
      await park(`acme:${A}`, 2, { reason: FOLLOWS });
      const drop = (offset: number) => answers.dropRecord({ service: 'request', id: idOf(offset) });
      expect(await drop(2)).toEqual({ refused: 'blocked' });
      expect(await drop(1)).toEqual({ dropped: idOf(1), behind: 1 });
      expect([await drop(1), await list()]).toEqual([null, ['2']]);
    });

    it('are those behind the one that is named, in pages, also of a key that is shown as a hash', async () => {
      await park('ann@example.com', 1);
      for (const offset of [2, 3]) await park('ann@example.com', offset, { reason: FOLLOWS });
      await park('ann@example.com', 4, { topic: REPORTS, reason: FOLLOWS });
      await park(`acme:${A}`, 5);
      await park(`acme:${A}`, 6, { reason: FOLLOWS });
      expect([await list({ behind: idOf(1) }), await list({ behind: idOf(9) })]).toEqual([['2', '3'], []]);
      const first = await answers.parked({ service: 'request', behind: idOf(1), limit: 1 });
      expect(first.parked.map(({ offset }) => offset)).toEqual(['2']);
      expect(await list({ behind: idOf(1), after: first.next_cursor })).toEqual(['3']);
    });

    it('drop a record behind the one that is named, which goes later, unless that one is being handled', async () => {
      await park(`acme:${A}`, 1);
      for (const offset of [2, 3]) await park(`acme:${A}`, offset, { reason: FOLLOWS });
      const drop = (offset: number, behind: number) =>
        answers.dropRecord({ service: 'request', id: idOf(offset), behind: idOf(behind) });
      expect(await drop(3, 2)).toEqual({ refused: 'blocked' });
      expect(await drop(3, 1)).toEqual({ dropped: idOf(3), behind: 0 });
      const later = new Date(at.getTime() + 1);
      const set = (change: object) => connection.collection('parked').updateOne({ offset: '1' }, change);
      for (const change of [{ $set: { redriveAt: at } }, { $set: { token: 'claim', redriveAt: later } }]) {
        await set(change);
        expect([await drop(2, 1), await list()]).toEqual([{ refused: 'busy' }, ['1', '2']]);
      }
      await set({ $unset: { token: 1 } });
      expect([await drop(2, 1), await drop(1, 1), await list()]).toMatchObject([{ behind: 0 }, { behind: 0 }, []]);
    });
  });
}
