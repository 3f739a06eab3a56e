import { randomUUID } from 'node:crypto';
import { requestKey } from '@opendsr-service/contracts';
import { ensureIndexes, type Storage } from '@opendsr-service/storage';
import { FULL } from '@opendsr-service/storage/testing';
import { commandOf, type NewRequest } from './commands';
import type { RequestDocument } from './request.document';
import { requestsCollection } from './requests-collection.store';
import { AdmissionsStore } from './admissions.store';

const at = new Date('2026-11-21T09:00:00Z');
const dueBy = (by: Date) => ({ by, unrepeatedBy: by });
const later = (ms: number) => new Date(at.getTime() + ms);
const RESEND_MS = 5_000;
const WAIT_MS = 60_000;
/** A spec of a thousand requests takes long where the machine is busy. */
const MANY_MS = 180_000;
const RACES = FULL ? 1_000 : 100;
/** At the same time, of one group. */
const CREATES = FULL ? 1_000 : 300;

let ws = '';
const request = (change: Partial<NewRequest> = {}): NewRequest => {
  const srid = change.srid ?? randomUUID();
  return {
    _id: requestKey(ws, srid),
    ws,
    srid,
    controllerId: 'c',
    apiVersion: '2.0',
    type: 'access',
    submittedTime: at,
    receivedAt: at,
    expectedAt: later(WAIT_MS),
    startAt: later(WAIT_MS),
    groupId: null,
    kid: 'k',
    fingerprint: randomUUID(),
    sealed: { identities: 'sealed', callbacks: [] },
    ...change,
  };
};

/** The rules of decision 1 that hold for every store: each decision is one write, also beside concurrent ones. */
export function requestsStoreContract(name: string, open: () => Promise<Storage>): void {
  describe(`admissions on ${name}`, () => {
    let storage: Storage;
    let store: AdmissionsStore;
    let gateways: readonly AdmissionsStore[];
    const admit = async (change: Partial<NewRequest> = {}): Promise<RequestDocument> => {
      const admitted = await store.admit(request(change));
      if (typeof admitted === 'string') throw new Error(`refused: ${admitted}`);
      return admitted;
    };
    /** How many of so many creates at once, by two gateways in turn, were answered how. */
    const atOnce = async (count: number, make: (n: number) => NewRequest): Promise<Record<string, number>> => {
      const answers = await Promise.all(
        Array.from({ length: count }, (_, n) => (gateways[n % 2] as AdmissionsStore).admit(make(n))),
      );
      const counts = Map.groupBy(answers, (answer) => (typeof answer === 'string' ? answer : 'admitted'));
      return Object.fromEntries([...counts].map(([answer, those]) => [answer, those.length]));
    };
    const find = async ({ srid }: RequestDocument) => (await store.find(ws, srid)) as RequestDocument;

    beforeAll(async () => {
      storage = await open();
      const connection = await storage.database('gateway');
      gateways = Array.from({ length: 2 }, () => new AdmissionsStore(connection, RESEND_MS));
      [store] = gateways as [AdmissionsStore];
      await ensureIndexes(connection);
    });
    beforeEach(() => {
      ws = randomUUID();
    });
    afterAll(() => storage.close());

    describe('create', () => {
      it('admits as pending, with its command in the outbox', async () => {
        const admitted = await find(await admit());
        expect(admitted).toMatchObject({ status: 'pending', seq: 1, v: 0, tries: 0, outboxAt: later(RESEND_MS) });
        expect(admitted.outbox.map(({ seq, type }) => [seq, type])).toEqual([[1, 'SubmitRequest']]);
      });

      it('refuses an existing id before it compares the fingerprint', async () => {
        const { srid, fingerprint } = await admit();
        expect(await store.admit(request({ srid }))).toBe('exists');
        expect(await store.admit(request({ srid, fingerprint: fingerprint as string }))).toBe('exists');
      });

      it('refuses an existing id as such, also if it is admitted while the holder of the fingerprint is read', async () => {
        const collection = requestsCollection(await storage.database('gateway'));
        const again = request();
        const holder = await admit({ fingerprint: again.fingerprint });
        const findOne = collection.findOne.bind(collection);
        const afterFirstRead = async (...args: Parameters<typeof findOne>) => {
          Object.assign(collection, { findOne });
          const found = await findOne(...args);
          await store.cancel(ws, holder.srid, at);
          await store.admit(again);
          return found;
        };
        Object.assign(collection, { findOne: afterFirstRead });
        expect(await store.admit(again)).toBe('exists');
      });

      it('refuses the same request while the first is pending or in progress, not in another workspace', async () => {
        const fingerprint = 'same';
        const first = await admit({ fingerprint });
        expect(await store.admit(request({ fingerprint }))).toBe('same-in-progress');
        await store.start(first, first.startAt as Date);
        expect(await store.admit(request({ fingerprint }))).toBe('same-in-progress');
        const other = request({ fingerprint, ws: randomUUID() });
        expect(await store.admit({ ...other, _id: requestKey(other.ws, other.srid) })).toMatchObject({
          status: 'pending',
        });
      });

      it('admits exactly one of fifty simultaneous creates of one id, regardless of their other fields', async () => {
        const srid = randomUUID();
        const answers = await atOnce(50, (n) =>
          request({ srid, groupId: 'g', ...(n % 2 === 0 && { fingerprint: srid }) }),
        );
        expect(answers).toEqual({ admitted: 1, exists: 49 });
      });

      it('admits exactly one of fifty simultaneous creates with the same fingerprint, with or without a group', async () => {
        for (const groupId of [null, 'g']) {
          const fingerprint = randomUUID();
          expect(await atOnce(50, () => request({ fingerprint, groupId }))).toEqual({
            admitted: 1,
            'same-in-progress': 49,
          });
        }
        expect(await store.findGroup(ws, 'g')).toHaveLength(1);
      });

      it(
        `admits exactly 150 of ${String(CREATES)} simultaneous creates of one group, each in a slot of its own`,
        async () => {
          expect(await atOnce(CREATES, () => request({ groupId: 'g' }))).toEqual({
            admitted: 150,
            'group-full': CREATES - 150,
          });
          const slots = (await store.findGroup(ws, 'g')).map(({ slot }) => slot);
          expect(new Set(slots)).toEqual(new Set(Array(150).keys()));
          const otherWs = randomUUID();
          expect(
            await store.admit({ ...request({ groupId: 'g' }), ws: otherWs, _id: requestKey(otherWs, randomUUID()) }),
          ).toMatchObject({ groupId: 'g' });
        },
        MANY_MS,
      );

      it('reports a full group only if the request has no other conflict', async () => {
        const first = await admit({ groupId: 'g', fingerprint: 'f' });
        await atOnce(149, () => request({ groupId: 'g' }));
        expect(await store.admit(request({ groupId: 'g' }))).toBe('group-full');
        expect(await store.admit(request({ groupId: 'g', fingerprint: 'f' }))).toBe('same-in-progress');
        expect(await store.admit(request({ groupId: 'g', fingerprint: 'f', srid: first.srid }))).toBe('exists');
      });

      it('counts a cancelled request among the 150 of its group, because the list still contains it', async () => {
        const { srid } = await admit({ groupId: 'g' });
        await atOnce(149, () => request({ groupId: 'g' }));
        await store.cancel(ws, srid, at);
        expect(await store.admit(request({ groupId: 'g' }))).toBe('group-full');
        expect((await store.findGroup(ws, 'g')).map((found) => found.srid)).toContain(srid);
      });
    });

    it('names the key of a request without what it seals, and not to another workspace', async () => {
      const { _id, srid } = await admit({ kid: 'k7' });
      expect(await store.findKey(ws, srid)).toEqual({ _id, ws, srid, kid: 'k7' });
      expect(await store.findKey(randomUUID(), srid)).toBeNull();
    });

    describe('a group', () => {
      it('lists its requests by received time, then by id, regardless of their slots', async () => {
        const ids = Array.from({ length: 6 }, () => randomUUID()).sort();
        const times = [later(2), later(1), later(1), later(0), later(2), later(2)];
        for (const n of [4, 1, 5, 0, 3, 2]) await admit({ groupId: 'g', srid: ids[n], receivedAt: times[n] });
        expect((await store.findGroup(ws, 'g')).map(({ srid }) => srid)).toEqual([3, 1, 2, 0, 4, 5].map((n) => ids[n]));
      });

      it('is read without what may be large: sealed fields, commands, what participants reported', async () => {
        const { _id, srid } = await admit({ groupId: 'g' });
        const reports = { crm: { status: 'sent', at: at.toISOString() } } as const;
        await requestsCollection(await storage.database('gateway')).updateOne({ _id, ws }, { $set: { reports } });
        const { sealed, outbox, reports: reported, ...rest } = (await store.find(ws, srid)) as RequestDocument;
        expect([sealed, outbox.length, reported]).toEqual([{ identities: 'sealed', callbacks: [] }, 1, reports]);
        expect(await store.findGroup(ws, 'g')).toEqual([rest]);
      });

      it.each(['\u0000', 'a\u0000b', ' ', '\u{1f600}', 'e\u0301', '$where', 'a.b', 'g'.repeat(256)])(
        'may have the name %j, and differs from groups of other names',
        async (groupId) => {
          const { srid } = await admit({ groupId });
          await admit({ groupId: 'a' });
          expect((await store.findGroup(ws, groupId)).map((found) => [found.srid, found.groupId])).toEqual([
            [srid, groupId],
          ]);
          expect(await store.findGroup(randomUUID(), groupId)).toEqual([]);
        },
      );
    });

    describe('cancel and start', () => {
      it('cancels a pending request, frees its fingerprint and queues the command behind the first', async () => {
        const admitted = await admit({ fingerprint: 'f' });
        const cancelled = await store.cancel(ws, admitted.srid, later(10));
        expect(cancelled).toMatchObject({
          status: 'cancelled',
          seq: 2,
          cancelledAt: later(10),
          outboxAt: later(10 + RESEND_MS),
        });
        expect(cancelled?.outbox.map(({ type }) => type)).toEqual(['SubmitRequest', 'CancelRequest']);
        expect(cancelled).not.toHaveProperty('startAt');
        expect(await store.admit(request({ fingerprint: 'f' }))).toMatchObject({ status: 'pending' });
      });

      it('cancels nothing that has started, is cancelled already, or belongs to another workspace', async () => {
        const started = await admit();
        await store.start(started, later(WAIT_MS));
        expect(await store.cancel(ws, started.srid, later(WAIT_MS))).toBeNull();
        const cancelled = await admit();
        await store.cancel(ws, cancelled.srid, at);
        expect(await store.cancel(ws, cancelled.srid, at)).toBeNull();
        expect(await store.cancel(randomUUID(), (await admit()).srid, at)).toBeNull();
      });

      it('cancels many at once by one write and one read, and answers each for itself', async () => {
        const collection = requestsCollection(await storage.database('gateway'));
        const requests = await Promise.all(Array.from({ length: 20 }, () => admit()));
        const [twice, started, ...others] = requests as [RequestDocument, RequestDocument, ...RequestDocument[]];
        await store.start(started, later(WAIT_MS));
        const sent: string[] = [];
        const spies = (['bulkWrite', 'updateOne', 'findOneAndUpdate', 'find', 'findOne'] as const).map((name) => {
          const original = (collection[name] as (...args: unknown[]) => unknown).bind(collection);
          return jest.spyOn(collection, name).mockImplementation(((...args: unknown[]) => {
            sent.push(Array.isArray(args[0]) ? `${name} ${args[0].length}` : name);
            return original(...args);
          }) as never);
        });
        const cancels = (those: readonly RequestDocument[]) =>
          Promise.all(those.map(async ({ srid }) => (await store.cancel(ws, srid, at))?.status));
        expect(await cancels(others)).toEqual(others.map(() => 'cancelled'));
        expect(sent).toEqual(['bulkWrite 18', 'find']);
        expect((await cancels([twice, started, twice, ...others])).map((status) => status === 'cancelled')).toEqual([
          ...[true, false, false],
          ...others.map(() => false),
        ]);
        expect(sent.filter((name) => name === 'findOneAndUpdate')).toEqual([]);
        for (const spy of spies) spy.mockRestore();
      });

      it('accepts exactly one of twenty simultaneous cancels of one request', async () => {
        const { srid } = await admit();
        const answers = await Promise.all(
          Array.from({ length: 20 }, (_, n) => (gateways[n % 2] as AdmissionsStore).cancel(ws, srid, at)),
        );
        expect(answers.filter((answer) => answer !== null)).toHaveLength(1);
      });

      it('starts due requests, and none before its start time', async () => {
        const due = await admit();
        expect((await store.findDue(later(WAIT_MS - 1), 1000)).map(({ _id }) => _id)).not.toContain(due._id);
        expect((await store.findDue(later(WAIT_MS), 1000)).map(({ _id }) => _id)).toContain(due._id);
        expect(await store.start(due, later(WAIT_MS - 1))).toBeNull();
        expect(await store.start(due, later(WAIT_MS))).toMatchObject({
          status: 'in_progress',
          seq: 2,
          startedAt: later(WAIT_MS),
        });
        expect(await store.start(due, later(WAIT_MS))).toBeNull();
        expect((await store.findDue(later(WAIT_MS), 1000)).map(({ _id }) => _id)).not.toContain(due._id);
      });

      it(
        `decides each of ${String(RACES)} races of a cancel and two starts by one write: exactly one is command 2`,
        async () => {
          const admitted = await Promise.all(Array.from({ length: RACES }, () => admit()));
          const outcomes = await Promise.all(
            admitted.map(async (each, n) => {
              const race = [
                () => store.cancel(ws, each.srid, later(WAIT_MS)),
                () => store.start(each, later(WAIT_MS)),
                () => store.start(each, later(WAIT_MS + 1)),
              ];
              const turned = [...race.slice(n % 3), ...race.slice(0, n % 3)];
              return (await Promise.all(turned.map((decide) => decide()))).filter((won) => won !== null);
            }),
          );
          for (const [n, winners] of outcomes.entries()) {
            expect(winners).toHaveLength(1);
            const found = await find(admitted[n] as RequestDocument);
            expect(found.status).toBe(winners[0]?.status);
            expect(found.outbox.map(({ seq }) => seq)).toEqual([1, 2]);
          }
        },
        MANY_MS,
      );
    });

    it('stores the sealed fields once, and builds the commands from them', async () => {
      const sealed = { identities: 'sealed-identities', callbacks: [] };
      const admitted = await admit({ sealed });
      const started = (await store.start(await find(admitted), admitted.startAt as Date)) as RequestDocument;
      expect(await find(admitted)).toEqual(started);
      expect(JSON.stringify(started).split('sealed-identities')).toHaveLength(2);
      expect(started.outbox.map((entry) => commandOf(started, entry))).toMatchObject([
        {
          type: 'SubmitRequest',
          seq: 1,
          request: {
            ...sealed,
            kid: admitted.kid,
            fingerprint: admitted.fingerprint,
            startAt: admitted.startAt?.toISOString(),
          },
        },
        {
          type: 'StartRequest',
          seq: 2,
          work: { type: admitted.type, kid: admitted.kid, identities: 'sealed-identities' },
        },
      ]);
    });

    describe('an event', () => {
      it('empties the outbox up to the command that it answers, and removes the due time with the last one', async () => {
        const { srid, startAt } = await admit();
        await store.start(await find({ srid } as RequestDocument), startAt as Date);
        expect(await store.acknowledge({ ws, srid, v: 1, commandSeq: 1 })).toBe(true);
        expect(await find({ srid } as RequestDocument)).toMatchObject({
          v: 1,
          status: 'in_progress',
          outbox: [{ seq: 2 }],
        });
        expect((await find({ srid } as RequestDocument)).outboxAt).toBeInstanceOf(Date);
        expect(await store.acknowledge({ ws, srid, v: 2, commandSeq: 2 })).toBe(true);
        const emptied = await find({ srid } as RequestDocument);
        expect(emptied).toMatchObject({ v: 2, outbox: [] });
        expect(emptied).not.toHaveProperty('outboxAt');
      });

      it('is acknowledged with others by two bulk writes of one statement, whichever commands wait behind', async () => {
        const requests = requestsCollection(await storage.database('gateway'));
        const bulkWrite = jest.spyOn(requests, 'bulkWrite');
        const admitted = await Promise.all(Array.from({ length: 10 }, () => admit()));
        const begun = admitted.slice(0, 4);
        await Promise.all(begun.map((one) => store.start(one, one.startAt as Date)));
        bulkWrite.mockClear();
        const acknowledged = admitted.map(({ srid }) => store.acknowledge({ ws, srid, v: 1, commandSeq: 1 }));
        expect(await Promise.all(acknowledged)).toEqual(admitted.map(() => true));
        expect(bulkWrite.mock.calls.map(([writes]) => writes.length)).toEqual([1, 1]);
        bulkWrite.mockRestore();
        for (const [n, one] of admitted.entries())
          expect(await find(one)).toMatchObject({ v: 1, outbox: n < begun.length ? [{ seq: 2 }] : [] });
      });

      it('is applied once and only after its predecessor, and never sets the status', async () => {
        const { srid } = await admit();
        expect(await store.acknowledge({ ws, srid, v: 2, commandSeq: 1 })).toBe(false);
        expect(await store.acknowledge({ ws, srid, v: 1, commandSeq: 1 })).toBe(true);
        expect(await store.acknowledge({ ws, srid, v: 1, commandSeq: 1 })).toBe(false);
        expect(await find({ srid } as RequestDocument)).toMatchObject({ v: 1, status: 'pending' });
      });

      it('is known as applied also beside a repeat and a gap in the same write, by one read', async () => {
        const requests = requestsCollection(await storage.database('gateway'));
        const [repeated, gap, ...others] = await Promise.all(Array.from({ length: 10 }, () => admit()));
        const acknowledge = (one: RequestDocument | undefined, v = 1) =>
          store.acknowledge({ ws, srid: one?.srid as string, v, commandSeq: 1 });
        await acknowledge(repeated);
        const find = jest.spyOn(requests, 'find');
        const [, ofGap, ...answers] = await Promise.all([
          acknowledge(repeated),
          acknowledge(gap, 2),
          ...others.map((one) => acknowledge(one)),
        ]);
        expect(find).toHaveBeenCalledTimes(1);
        find.mockRestore();
        expect([ofGap, answers]).toEqual([false, others.map(() => true)]);
      });

      it('that ends a request is known as applied also beside one whose key is still held', async () => {
        const callbacks = [{ destination: randomUUID(), url: 'sealed' }];
        const admitted = [await admit(), await admit({ sealed: { identities: 'sealed', callbacks } })];
        for (const { srid } of admitted) {
          await store.cancel(ws, srid, at);
          await store.acknowledge({ ws, srid, v: 1, commandSeq: 1 });
        }
        const ends = admitted.map(({ srid }) =>
          store.acknowledge({ ws, srid, v: 2, commandSeq: 2, keyDueAt: later(WAIT_MS) }),
        );
        expect(await Promise.all(ends)).toEqual([true, true]);
        for (const one of admitted) expect(await find(one)).toMatchObject({ v: 2, outbox: [] });
      });

      it('of the next version completes a request in progress, frees the fingerprint and queues the last command', async () => {
        const admitted = await admit({ fingerprint: 'f' });
        const { srid } = admitted;
        await store.start(admitted, later(WAIT_MS));
        await store.acknowledge({ ws, srid, v: 1, commandSeq: 1 });
        await store.acknowledge({ ws, srid, v: 2, commandSeq: 2 });
        expect(await store.complete({ ws, srid, v: 4, commandSeq: 2 }, later(WAIT_MS))).toBeNull();
        expect(await store.complete({ ws, srid, v: 3, commandSeq: 2 }, later(WAIT_MS))).toMatchObject({
          status: 'completed',
          v: 3,
          seq: 3,
          completedAt: later(WAIT_MS),
          outbox: [{ seq: 3, type: 'CompleteRequest' }],
        });
        expect(await store.complete({ ws, srid, v: 3, commandSeq: 2 }, later(WAIT_MS))).toBeNull();
        expect(await store.admit(request({ fingerprint: 'f' }))).toMatchObject({ status: 'pending' });
      });
    });

    describe('the relay', () => {
      it('finds requests with unanswered commands, and only one of two relays reschedules each', async () => {
        const admitted = await admit();
        expect((await store.findUnanswered(dueBy(later(RESEND_MS - 1)), 1000)).map(({ _id }) => _id)).not.toContain(
          admitted._id,
        );
        const [seen] = (await store.findUnanswered(dueBy(later(RESEND_MS)), 1000)).filter(
          ({ _id }) => _id === admitted._id,
        ) as [RequestDocument];
        const taken = await Promise.all([store.reschedule(seen, later(20_000)), store.reschedule(seen, later(20_000))]);
        expect(taken.filter(Boolean)).toHaveLength(1);
        expect(await find(admitted)).toMatchObject({ outboxAt: later(20_000), tries: 1 });
      });
    });
  });
}
