import { randomUUID } from 'node:crypto';
import { requestKey } from '@opendsr-service/contracts';
import { ensureIndexes } from '@opendsr-service/storage';
import type { TestDatabase } from '@opendsr-service/storage/testing';
import type { Connection } from 'mongoose';
import { AdmissionsStore } from '../admission/admissions.store';
import { commandOf } from '../admission/commands';
import { legalDates } from '../admission/legal-dates';
import type { RequestDocument } from '../admission/request.document';
import { DeadlinesStore } from './deadlines.store';

const at = new Date('2026-11-21T09:00:00Z');
const dueBy = new Date('2026-12-21T23:59:59.999Z');
const extendedUntil = new Date('2027-02-22T23:59:59.999Z');
const later = (ms: number) => new Date(at.getTime() + ms);

/** Legal dates and their extension, on every store. */
export function deadlinesContract(name: string, database: TestDatabase): void {
  describe(`legal dates on ${name}`, () => {
    let connection: Connection;
    let store: AdmissionsStore;
    let deadlines: DeadlinesStore;
    let ws = '';

    const admit = async (): Promise<RequestDocument> => {
      const srid = randomUUID();
      const admitted = await store.admit({
        ...{ _id: requestKey(ws, srid), ws, srid, controllerId: 'c', apiVersion: '2.0', type: 'access' },
        ...{ submittedTime: at, receivedAt: at, startAt: at, expectedAt: later(90_000), groupId: null, kid: 'k' },
        ...legalDates({ legalSince: at, legalDueAt: dueBy, workspaceClass: 'gold' }),
        ...{ fingerprint: srid, sealed: { identities: 'sealed', callbacks: [] } },
      });
      if (typeof admitted === 'string') throw new Error(`refused: ${admitted}`);
      return admitted;
    };
    const find = async ({ srid }: Pick<RequestDocument, 'srid'>) => (await store.find(ws, srid)) as RequestDocument;
    /** The request service has answered the commands up to this number. */
    const answer = async ({ srid }: RequestDocument, v: number) => {
      await store.acknowledge({ ws, srid, v, commandSeq: v });
      return find({ srid });
    };
    const received = async () => answer(await admit(), 1);
    const begun = async () => {
      const request = await received();
      await store.start(request, at);
      return answer(request, 2);
    };
    const extend = (request: RequestDocument, when = at) =>
      deadlines.extend(request, { at: when, extendedUntil, extendedBy: 'privacy-office', reason: 'sealed-reason' });
    const outboxOf = ({ outbox }: Pick<RequestDocument, 'outbox'>) => outbox.map(({ seq, type }) => `${seq} ${type}`);

    beforeAll(async () => {
      connection = await database.open();
      store = new AdmissionsStore(connection, 5_000);
      deadlines = new DeadlinesStore(connection);
      await ensureIndexes(connection);
    });
    beforeEach(() => {
      ws = randomUUID();
    });
    afterAll(() => database.close());

    describe('an extension', () => {
      it('is one decision with a command that is due at once, and moves the expected completion', async () => {
        const request = await begun();
        expect(await extend(request)).toBe(true);
        const extended = await find(request);
        expect(extended).toMatchObject({
          ...{ status: 'in_progress', seq: 3, extendedAt: at, extendedUntil, extendedBy: 'privacy-office' },
          ...{ legalDueAt: dueBy, dueBy: extendedUntil, expectedAt: extendedUntil, outboxAt: at, outboxSince: at },
        });
        expect(extended.atRiskAt).toEqual(new Date(at.getTime() + (extendedUntil.getTime() - at.getTime()) * 0.75));
        expect(extended.outbox.map((entry) => commandOf(extended, entry))).toMatchObject([
          { type: 'ExtendDeadline', seq: 3, extendedBy: 'privacy-office', reason: 'sealed-reason' },
        ]);
        expect(await answer(request, 3)).toMatchObject({ outbox: [], extendedUntil });
      });

      it('is accepted once, until the legal date, for a request that is recorded and has not ended', async () => {
        const request = await received();
        expect(await extend(request, new Date(dueBy.getTime() + 1))).toBe(false);
        expect(await extend(await admit())).toBe(false);
        const cancelled = await received();
        await store.cancel(ws, cancelled.srid, at);
        expect(await extend(await find(cancelled))).toBe(false);
        expect(await extend(request, dueBy)).toBe(true);
        expect(await extend(await find(request))).toBe(false);
        const other = await received();
        expect(await extend({ ...other, ws: 'another' })).toBe(false);
      });

      it('shifts the command number of a later start, cancel and completion', async () => {
        const [started, cancelled] = [await received(), await received()];
        await extend(started);
        await extend(cancelled);
        expect(await store.cancel(ws, cancelled.srid, at)).toMatchObject({ status: 'cancelled', seq: 3 });
        expect(await store.cancel(ws, cancelled.srid, at)).toBeNull();
        expect(outboxOf(await find(cancelled))).toEqual(['2 ExtendDeadline', '3 CancelRequest']);
        await store.start(await find(started), at);
        expect(outboxOf(await find(started))).toEqual(['2 ExtendDeadline', '3 StartRequest']);
        for (const [v, commandSeq] of [
          [2, 2],
          [3, 3],
        ] as const)
          expect(await store.acknowledge({ ws, srid: started.srid, v, commandSeq })).toBe(true);
        const completed = await store.complete({ ws, srid: started.srid, v: 4, commandSeq: 3 }, later(1));
        expect(completed).toMatchObject({ status: 'completed', seq: 4, outboxSince: later(1) });
        expect(outboxOf(completed as RequestDocument)).toEqual(['4 CompleteRequest']);
      });

      it('is published before a completion that is decided while it is unanswered', async () => {
        const request = await begun();
        await extend(request);
        const completed = await store.complete({ ws, srid: request.srid, v: 3, commandSeq: 2 }, later(1));
        expect(completed).toMatchObject({ status: 'completed', seq: 4, outboxSince: at, extendedUntil });
        expect(outboxOf(completed as RequestDocument)).toEqual(['3 ExtendDeadline', '4 CompleteRequest']);
        expect(await store.complete({ ws, srid: request.srid, v: 3, commandSeq: 2 }, later(2))).toBeNull();
      });

      it('prevents the start of a request that was read before it', async () => {
        const request = await received();
        await extend(request);
        expect(await store.start(request, at)).toBeNull();
        expect(await store.start(await find(request), at)).toMatchObject({ seq: 3 });
      });

      it('and a simultaneous decision are both written in one order, or the extension is refused', async () => {
        for (let round = 0; round < 20; round += 1) {
          const [pending, running] = [await received(), await begun()];
          const [isExtended, cancelled] = await Promise.all([extend(pending), store.cancel(ws, pending.srid, at)]);
          // A cancel tries both numbers, so it never loses to an extension.
          expect(cancelled).toMatchObject({ status: 'cancelled', seq: isExtended ? 3 : 2 });
          const { srid } = running;
          const [isMoved, completed] = await Promise.all([
            extend(running),
            store.complete({ ws, srid, v: 3, commandSeq: 2 }, at),
          ]);
          expect(completed).toMatchObject({ status: 'completed', seq: isMoved ? 4 : 3 });
          expect(outboxOf(await find(running))).toEqual(
            isMoved ? ['3 ExtendDeadline', '4 CompleteRequest'] : ['3 CompleteRequest'],
          );
        }
      });
    });
  });
}
