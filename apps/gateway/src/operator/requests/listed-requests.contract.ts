import { requestKey } from '@opendsr-service/contracts';
import { ensureIndexes } from '@opendsr-service/storage';
import type { TestDatabase } from '@opendsr-service/storage/testing';
import type { Connection } from 'mongoose';
import { requestsCollection } from '../../admission/requests-collection.store';
import { cursorOf, parseCursor, placeBehind } from '../lists/cursor';
import { dueRequests } from './due-requests.store';
import { parseListQuery } from './list-query';
import { ListedRequestsStore } from './listed-requests.store';
import { MOST_READ, readPage } from './read-page';

const HOUR_MS = 3_600_000;
const START_MS = Date.UTC(2026, 10, 1);
const STATUSES = ['pending', 'in_progress', 'completed', 'cancelled'] as const;
const TYPES = ['access', 'portability', 'erasure'] as const;
const COUNT = 60;
const now = new Date(START_MS + 30 * HOUR_MS);

/** `COUNT` requests in turn over three workspaces, three of the same time each. */
export const plantedRequests = (count = COUNT) =>
  Array.from({ length: count }, (_, n) => {
    const [ws, srid] = [`ws${n % 3}`, String(n).padStart(4, '0')];
    const receivedAt = new Date(START_MS + Math.floor(n / 3) * HOUR_MS);
    return {
      ...{ _id: requestKey(ws, srid), ws, srid, kid: 'k', groupId: null, controllerId: `c${n % 3}`, seq: 1, v: 1 },
      ...{ status: STATUSES[Math.floor(n / 3) % 4] ?? 'pending', type: TYPES[n % 3] ?? 'access', countedBy: 'gdpr' },
      ...{ receivedAt, expectedAt: receivedAt, dueBy: new Date(receivedAt.getTime() + 20 * HOUR_MS) },
      atRiskAt: new Date(receivedAt.getTime() + 15 * HOUR_MS),
      ...(n % 12 === 6 && { completedAt: new Date(receivedAt.getTime() + 8 * HOUR_MS) }),
      ...(n % 12 > 6 && n % 12 < 9 && { completedAt: new Date(receivedAt.getTime() + 2 * HOUR_MS) }),
      ...(n % 12 > 8 && { cancelledAt: new Date(receivedAt.getTime() + HOUR_MS) }),
      ...(n % 5 === 0 && { callbacksFailing: true as const }),
    };
  });
type Planted = ReturnType<typeof plantedRequests>[number];
const endOf = ({ completedAt, cancelledAt }: Planted) => (completedAt ?? cancelledAt)?.getTime() ?? 0;

/** Lists of requests, on every store. */
export function listedRequestsContract(name: string, database: TestDatabase): void {
  describe(`lists of requests on ${name}`, () => {
    let connection: Connection;
    let listed: ListedRequestsStore;
    const planted = plantedRequests();
    beforeAll(async () => {
      connection = await database.open();
      requestsCollection(connection);
      await ensureIndexes(connection, { optional: true });
      listed = new ListedRequestsStore(connection);
      await connection.collection<{ _id: string }>('requests').insertMany(planted);
    });
    afterAll(() => database.close());

    /** All pages of a list, each behind the cursor of the one before. */
    async function pages(parameters: object, workspaces: readonly (string | undefined)[] = [undefined]) {
      const found: string[][] = [];
      for (let cursor: string | undefined; ;) {
        const query = parseListQuery({ ...parameters, ...(cursor !== undefined && { cursor }) }, now);
        const page = await readPage(workspaces, query, (stretch, limit) => listed.next(stretch, limit));
        found.push(page.requests.map(({ srid }) => srid));
        if (!page.next) return found;
        cursor = cursorOf(query.order, page.next);
        expect(placeBehind(parseCursor(query.order, cursor) ?? [])).toEqual(page.next);
      }
    }
    const all = async (parameters: object, workspaces?: readonly (string | undefined)[]) =>
      (await pages(parameters, workspaces)).flat();
    const expected = (fits: (one: Planted) => boolean) => planted.filter(fits).map(({ srid }) => srid);

    it('has the newest first, each once, in pages that may end within a time of many', async () => {
      const found = await pages({ limit: '7' });
      expect(found.flat()).toHaveLength(COUNT);
      expect(new Set(found.flat()).size).toBe(COUNT);
      expect(found.map(({ length }) => length)).toEqual([7, 7, 7, 7, 7, 7, 7, 7, 4]);
      expect(found[0]?.slice(0, 4).map((srid) => Math.floor(Number(srid) / 3))).toEqual([19, 19, 19, 18]);
    });

    it('has only the workspaces that it is about, merged in the same order', async () => {
      expect(await all({ limit: '7' }, ['ws1'])).toEqual(expected(({ ws }) => ws === 'ws1').reverse());
      const two = await all({ limit: '7' }, ['ws0', 'ws1']);
      expect(two.toSorted()).toEqual(expected(({ ws }) => ws !== 'ws2'));
      const times = two.map((srid) => planted.find((one) => one.srid === srid)?.receivedAt.getTime() ?? 0);
      expect(times).toEqual(times.toSorted((a, b) => b - a));
      expect(await all({}, [])).toEqual([]);
    });

    it.each([
      ['status', { status: 'cancelled' }, (one: Planted) => one.status === 'cancelled'],
      ['type', { type: 'erasure', limit: '3' }, (one: Planted) => one.type === 'erasure'],
      ['regulation', { regulation: 'ccpa' }, () => false],
      [
        'time of receipt',
        { received_from: '2026-11-01T04:00:00Z', received_to: '2026-11-01T06:00:00Z', limit: '2' },
        ({ receivedAt }: Planted) => [4, 5, 6].includes((receivedAt.getTime() - START_MS) / HOUR_MS),
      ],
    ])('filters by %s', async (_what, parameters, fits) => {
      expect((await all(parameters)).toSorted()).toEqual(expected(fits));
    });

    it('has by legal date those alone that have not ended, the earliest first', async () => {
      const isOpen = ({ status }: Planted) => ['pending', 'in_progress'].includes(status);
      expect((await all({ order: 'due', limit: '4' })).toSorted()).toEqual(expected(isOpen));
      const overdue = await all({ overdue: 'true', limit: '4' });
      expect(overdue.toSorted()).toEqual(expected((one) => isOpen(one) && one.dueBy <= now));
      expect(overdue.map(Number)).toEqual(
        overdue.map(Number).toSorted((a, b) => Math.floor(a / 3) - Math.floor(b / 3)),
      );
      expect((await all({ due_within: '2h', type: 'access' })).toSorted()).toEqual(
        expected((one) => isOpen(one) && one.type === 'access' && one.dueBy.getTime() <= now.getTime() + 2 * HOUR_MS),
      );
    });

    it('has by legal date all pages of a workspace, or of all, up to a date', async () => {
      const sridsOf = async (...[filter, page]: [Parameters<typeof dueRequests>[1], number?]) => {
        const pages: string[][] = [];
        for await (const found of dueRequests(connection, filter, page)) pages.push(found.map(({ srid }) => srid));
        return pages;
      };
      const due = await all({ order: 'due', limit: '4' });
      const pages = await sridsOf({}, 4);
      expect([pages.flat(), pages.length]).toEqual([due, Math.ceil(due.length / 4)]);
      const isOverdue = (one: Planted) => ['pending', 'in_progress'].includes(one.status) && one.dueBy <= now;
      expect((await sridsOf({ ws: 'ws1', until: now })).flat()).toEqual(
        expected((one) => one.ws === 'ws1' && isOverdue(one)),
      );
      expect(await sridsOf({ ws: 'nobody' })).toEqual([]);
    });

    it('has those alone that are in a legal state, and those that are due but not overdue', async () => {
      const isOpen = ({ status }: Planted) => ['pending', 'in_progress'].includes(status);
      const isLate = ({ atRiskAt }: Planted) => atRiskAt <= now;
      const isOverdue = ({ dueBy }: Planted) => dueBy < now;
      const atRisk = expected((one) => isOpen(one) && isLate(one) && !isOverdue(one));
      expect((await all({ legal_state: 'at_risk', limit: '2' })).toSorted()).toEqual(atRisk);
      expect((await all({ legal_state: 'on_track' })).toSorted()).toEqual(
        expected((one) => isOpen(one) && !isLate(one)),
      );
      const overdue = expected((one) => isOpen(one) && isOverdue(one));
      expect((await all({ legal_state: 'overdue', limit: '2' })).toSorted()).toEqual(overdue);
      expect((await all({ due_within: '2h', overdue: 'false' })).toSorted()).toEqual(
        expected((one) => isOpen(one) && !isOverdue(one) && one.dueBy.getTime() <= now.getTime() + 2 * HOUR_MS),
      );
      expect(Math.min(atRisk.length, overdue.length)).toBeGreaterThan(1);
    });

    it('has those alone that ended by their legal date, or after it, the last one first', async () => {
      const [key, dueBy] = ['ws1:late', new Date(START_MS)];
      const late = { ...plantedRequests(1)[0], _id: key, ws: 'ws1', srid: 'late', status: 'completed' as const, dueBy };
      const requests = connection.collection<{ _id: string; completedAt: Date }>('requests');
      await requests.insertOne({ ...late, completedAt: new Date(START_MS + 1) });
      expect(await all({ legal_state: 'missed', limit: '1' })).toEqual(['late']);
      const kept = await all({ legal_state: 'kept', ended_within: '40h', limit: '7' });
      expect(kept).toEqual((await all({ order: 'ended' })).filter((srid) => srid !== 'late'));
      await requests.updateOne({ _id: key }, { $set: { completedAt: dueBy } });
      expect(await all({ legal_state: 'missed' })).toEqual([]);
      await requests.deleteOne({ _id: key });
    });

    it('has by their end those alone that have ended, the last one first', async () => {
      const hasEnded = (one: Planted) => endOf(one) > 0;
      const found = await all({ order: 'ended', limit: '7' });
      expect(found.toSorted()).toEqual(expected(hasEnded));
      const ends = found.map((srid) => endOf(planted[Number(srid)] as Planted));
      expect(ends).toEqual(ends.toSorted((a, b) => b - a));
      expect((await all({ ended_within: '20h', limit: '2' }, ['ws1', 'ws2'])).toSorted()).toEqual(
        expected((one) => one.ws !== 'ws0' && endOf(one) >= now.getTime() - 20 * HOUR_MS),
      );
      expect((await all({ order: 'ended', status: 'cancelled', callbacks: 'failing' })).toSorted()).toEqual(
        expected((one) => one.status === 'cancelled' && one.callbacksFailing === true),
      );
    });

    it('has those with failing callbacks, and those of an age', async () => {
      const isFailing = ({ callbacksFailing }: Planted) => callbacksFailing === true;
      expect((await all({ callbacks: 'failing', limit: '4' })).map(Number)).toEqual(
        expected(isFailing)
          .map(Number)
          .toSorted((a, b) => Math.floor(b / 3) - Math.floor(a / 3) || b - a),
      );
      expect(await all({ callbacks: 'failing', type: 'erasure' }, ['ws2'])).toEqual(
        expected((one) => isFailing(one) && one.ws === 'ws2').reverse(),
      );
      const age = ({ receivedAt }: Planted) => (now.getTime() - receivedAt.getTime()) / HOUR_MS;
      expect((await all({ older_than: '20h', limit: '7' })).toSorted()).toEqual(expected((one) => age(one) >= 20));
      expect((await all({ received_within: '20h', status: 'pending' })).toSorted()).toEqual(
        expected((one) => age(one) <= 20 && one.status === 'pending'),
      );
      expect(await listed.countFailing(undefined, 100)).toBe(expected(isFailing).length);
      expect(await listed.countFailing('ws1', 2)).toBe(2);
      const span = {
        field: 'receivedAt',
        from: new Date(START_MS + HOUR_MS),
        before: new Date(START_MS + 3 * HOUR_MS),
      };
      expect(await listed.countDated(undefined, { ...span, field: 'receivedAt' })).toBe(6);
      expect(await listed.countDated('ws1', { ...span, field: 'cancelledAt' }, 100)).toBe(0);
    });

    it('counts what has not ended, by time, and stops at the limit', async () => {
      const open = planted.filter(({ status }) => ['pending', 'in_progress'].includes(status));
      const overdue = open.filter(({ dueBy }) => dueBy < now).length;
      expect(await listed.countDue(undefined, {}, 1_000)).toBe(open.length);
      expect(await listed.countDue(undefined, { before: now }, 1_000)).toBe(overdue);
      expect(await listed.countDue(undefined, { from: now }, 1_000)).toBe(open.length - overdue);
      expect(await listed.countDue('ws1', {}, 1_000)).toBe(open.length / 3);
      expect(await listed.countDue(undefined, {}, 5)).toBe(5);
      const late = open.filter(({ atRiskAt, status }) => status === 'pending' && atRiskAt <= now).length;
      expect(await listed.countOpen(undefined, { status: 'pending', atRisk: { by: now } }, 1_000)).toBe(late);
      expect(await listed.countOpen(undefined, { status: 'pending', atRisk: { after: now } })).toBe(
        open.filter(({ status }) => status === 'pending').length - late,
      );
      expect(await listed.countOpen('ws1', { status: 'in_progress', received: {} }, 1_000)).toBe(
        open.filter(({ ws, status }) => ws === 'ws1' && status === 'in_progress').length,
      );
      const before = new Date(START_MS + 5 * HOUR_MS);
      const old = open.filter(({ receivedAt, status }) => status === 'pending' && receivedAt < before);
      expect(await listed.countOpen(undefined, { status: 'pending', received: { before } }, 1_000)).toBe(old.length);
      expect(
        await listed.countOpen(undefined, { status: 'pending', received: { from: before, before: now } }, 1_000),
      ).toBe(open.filter(({ receivedAt, status }) => status === 'pending' && receivedAt >= before).length);
      expect(await listed.countOpen(undefined, { status: 'pending', received: { before } }, 2)).toBe(2);
    });

    it('returns a short page, and where it goes on, once it has read too many that do not fit', async () => {
      const query = parseListQuery({ status: 'completed' }, now);
      let read = 0;
      const endless = (_stretch: object, limit: number) => {
        read += limit;
        const at = new Date(START_MS - read);
        const one = { ...planted[0], status: 'pending', type: 'access', countedBy: 'gdpr', receivedAt: at } as never;
        return Promise.resolve(Array.from({ length: limit }, () => one));
      };
      const page = await readPage([undefined], query, endless);
      expect([page.requests, read, page.next?.at]).toEqual([[], MOST_READ, new Date(START_MS - MOST_READ)]);
    });
  });
}
