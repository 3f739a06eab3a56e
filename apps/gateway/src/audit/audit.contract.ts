import { ensureIndexes } from '@opendsr-service/storage';
import type { TestDatabase } from '@opendsr-service/storage/testing';
import type { Connection } from 'mongoose';
import type { OperatorAction, ServiceAction } from './audit-entry';
import { AuditStore, type AuditStretch } from './audit.store';

const START_MS = Date.UTC(2026, 10, 21);
const at = (second: number): Date => new Date(START_MS + second * 1_000);

/** The audit trail, on every store. */
export function auditContract(name: string, database: TestDatabase): void {
  describe(`the audit trail on ${name}`, () => {
    let connection: Connection;
    let audit: AuditStore;
    beforeAll(async () => {
      connection = await database.open();
      audit = new AuditStore(connection);
      await ensureIndexes(connection, { optional: true });
    });
    beforeEach(async () => void (await connection.collection('audit').deleteMany({})));
    afterAll(() => database.close());

    const asked = (second: number, more: Partial<OperatorAction> = {}): OperatorAction => ({
      ...{ ws: 'acme', srid: 's1', action: 'identities-revealed', by: 'ann', role: 'officer', reason: 'sealed' },
      ...{ at: at(second), requestId: `r${second}`, ...more },
    });
    const ofService = (second: number, more: Partial<ServiceAction> = {}): ServiceAction => ({
      ...{ ws: '', srid: '', action: 'parked-redrive-asked', by: 'bob', role: 'operator', because: 'it is repaired' },
      ...{ at: at(second), requestId: `r${second}`, ...more },
    });
    /** All pages of a stretch, each behind the last entry of the one before. */
    async function pages(stretch: AuditStretch, limit: number): Promise<string[][]> {
      const found: string[][] = [];
      for (let { after } = stretch; ;) {
        const page = await audit.next({ ...stretch, after }, limit);
        const last = page.at(-1);
        if (!last) return found;
        found.push(page.map(({ _id }) => _id));
        after = { at: last.at, id: last._id };
      }
    }

    it('keeps what it was told, of operators, of the service and of participants', async () => {
      await audit.add('a', asked(1, { delivery: 'd', approvedBy: 'eve' }));
      await audit.add('b', ofService(2, { service: 'results', record: 'x' }));
      await audit.add('c', {
        ...{ ws: 'acme', srid: 's1', participant: 'crm', action: 'identities-read', at: at(3), requestId: 'r3' },
      });
      const [read, service, own] = await audit.next({}, 10);
      expect(own).toEqual({ _id: 'a', ...asked(1, { delivery: 'd', approvedBy: 'eve' }) });
      expect(service).toEqual({ _id: 'b', ...ofService(2, { service: 'results', record: 'x' }) });
      expect(read).toMatchObject({ ws: 'acme', srid: 's1', participant: 'crm', action: 'identities-read', at: at(3) });
    });

    it('adds an entry once: the second of the same id is refused, and the first stays', async () => {
      await audit.add('a', asked(1));
      await expect(audit.add('a', asked(2, { by: 'eve' }))).rejects.toMatchObject({ code: 11_000 });
      await expect(audit.add('a', ofService(2))).rejects.toMatchObject({ code: 11_000 });
      expect(await audit.next({}, 10)).toEqual([{ _id: 'a', ...asked(1) }]);
    });

    it('has what belongs to a request, and to no other of another workspace or id', async () => {
      await audit.add('b', asked(2, { action: 'participant-waiver-asked', participant: 'crm' }));
      await audit.add('a', asked(1));
      await audit.add('c', asked(3, { ws: 'other' }));
      await audit.add('d', asked(4, { srid: 's2' }));
      await audit.add('e', ofService(5, { ws: 'acme', srid: 's1', action: 'parked-drop-asked' }));
      const noted = async (srid: string) => (await audit.ofOperators('acme', srid)).map(({ _id }) => _id).toSorted();
      expect(await noted('s1')).toEqual(['a', 'b', 'e']);
      // By the API about the request itself, the earliest first.
      expect((await audit.ofRequest('acme', 's1')).map(({ _id }) => _id)).toEqual(['a', 'b']);
      expect(await noted('s3')).toEqual([]);
      expect((await audit.ofOperators('acme', 's1', ['parked-drop-asked'])).map(({ _id }) => _id)).toEqual(['e']);
    });

    it('reads what operators noted apart from participants that ask again and again, of whom it has the newest', async () => {
      await audit.add('a', asked(0, { action: 'participant-waiver-asked', participant: 'crm' }));
      const refused = { ws: 'acme', participant: 'crm', action: 'identities-refused' } as const;
      for (let n = 1; n <= 7; n += 1)
        await audit.add(`p${n}`, { ...refused, srid: 's1', at: at(n), requestId: `r${n}` });
      await audit.add('q', { ...refused, srid: 's2', at: at(1_000), requestId: 'other' });
      expect((await audit.ofOperators('acme', 's1')).map(({ _id }) => _id)).toEqual(['a']);
      const read = await audit.ofParticipants('acme', 's1', 3);
      expect(read.map(({ requestId }) => requestId)).toEqual(['r7', 'r6', 'r5']);
    });

    it('has the newest first, in pages that may end within a time of many, by workspace and time', async () => {
      const workspaces = ['acme', 'other', ''];
      for (let n = 0; n < 12; n += 1)
        await audit.add(
          `e${String(n).padStart(2, '0')}`,
          ofService(Math.floor(n / 4), { ws: workspaces[n % 3] ?? '' }),
        );
      const all = Array.from({ length: 12 }, (_, n) => `e${String(11 - n).padStart(2, '0')}`);
      for (const limit of [1, 3, 5, 12]) {
        const found = await pages({}, limit);
        expect([found.flat(), found[0]?.length]).toEqual([all, limit]);
      }
      const ofOne = (await pages({ workspaces: ['acme'] }, 2)).flat();
      expect(ofOne).toEqual(['e09', 'e06', 'e03', 'e00']);
      expect((await pages({ workspaces: ['acme', 'other'] }, 3)).flat()).toEqual(
        all.filter((id) => Number(id.slice(1)) % 3 < 2),
      );
      expect((await pages({ workspaces: [] }, 3)).flat()).toEqual([]);
      expect((await pages({ from: at(1), to: at(1) }, 3)).flat()).toEqual(['e07', 'e06', 'e05', 'e04']);
    });
  });
}
