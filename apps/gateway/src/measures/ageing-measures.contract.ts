import { randomUUID } from 'node:crypto';
import { requestKey, type Regulation } from '@opendsr-service/contracts';
import { ManualClock } from '@opendsr-service/service';
import { ensureIndexes } from '@opendsr-service/storage';
import type { TestDatabase } from '@opendsr-service/storage/testing';
import type { Connection } from 'mongoose';
import { AdmissionsStore } from '../admission/admissions.store';
import type { NewRequest } from '../admission/commands';
import { legalDates } from '../admission/legal-dates';
import { ageingGauge } from './ageing-gauge';
import { AgeingMeasures } from './ageing-measures.store';

const since = new Date('2026-11-21T00:00:00Z');
const DAY_MS = 86_400_000;
const after = (days: number) => new Date(since.getTime() + days * DAY_MS);
const ws = 'acme';

interface Admitted extends Partial<Pick<NewRequest, 'type'>> {
  readonly days?: number;
  readonly kind?: string;
  readonly regulation?: Regulation;
}

/** What the measures of legal dates say, on every store. */
export function ageingMeasuresContract(name: string, database: TestDatabase): void {
  describe(`measures of legal dates on ${name}`, () => {
    let connection: Connection;
    let store: AdmissionsStore;
    let measures: AgeingMeasures;
    const admit = async ({ days = 40, kind = 'gold', type = 'erasure', regulation = 'gdpr' }: Admitted = {}) => {
      const srid = randomUUID();
      await store.admit({
        ...{ _id: requestKey(ws, srid), ws, srid, controllerId: 'c', apiVersion: '2.0', type, regulation },
        ...{ submittedTime: since, receivedAt: since, startAt: since, expectedAt: after(2), groupId: null, kid: 'k' },
        ...legalDates({ regulation, legalSince: since, legalDueAt: after(days), workspaceClass: kind }),
        ...{ fingerprint: srid, sealed: { identities: 'sealed', callbacks: [] } },
      });
      return srid;
    };
    /** The series that are not zero. */
    const shownAt = async (days: number) => {
      const samples = await ageingGauge(new ManualClock(after(days)), measures).measure();
      return samples
        .filter(({ value }) => value > 0)
        .map(({ labels, value }) => `${Object.values(labels).join(' ')} ${value}`)
        .sort();
    };

    beforeAll(async () => {
      connection = await database.open();
      store = new AdmissionsStore(connection, 5_000);
      measures = new AgeingMeasures(connection);
      await ensureIndexes(connection);
    });
    beforeEach(() => connection.collection('requests').deleteMany({}));
    afterAll(() => database.close());

    it('count a request as on track, at risk from three quarters of its time, and overdue after its time', async () => {
      await admit();
      await admit({ days: 20 });
      expect(await shownAt(14)).toEqual(['gdpr erasure gold on_track 2']);
      expect(await shownAt(15)).toEqual(['gdpr erasure gold at_risk 1', 'gdpr erasure gold on_track 1']);
      expect(await shownAt(20)).toEqual(['gdpr erasure gold at_risk 1', 'gdpr erasure gold on_track 1']);
      expect(await shownAt(30)).toEqual(['gdpr erasure gold at_risk 1', 'gdpr erasure gold overdue 1']);
      expect(await shownAt(41)).toEqual(['gdpr erasure gold overdue 2']);
    });

    it('separate regulations, types and workspace classes, and exclude ended requests', async () => {
      await admit({ regulation: 'ccpa', type: 'access' });
      await admit({ kind: 'silver' });
      const started = await admit();
      await store.start((await store.find(ws, started))!, since);
      await admit();
      await store.cancel(ws, await admit(), since);
      expect(await shownAt(1)).toEqual([
        'ccpa access gold on_track 1',
        'gdpr erasure gold on_track 2',
        'gdpr erasure silver on_track 1',
      ]);
    });

    it('count the requests of an eleventh and any further class as other', async () => {
      for (let n = 10; n < 23; n += 1) await admit({ kind: `class-${n}` });
      const shown = await shownAt(41);
      expect(shown).toHaveLength(11);
      expect(shown.filter((series) => series.startsWith('gdpr erasure other'))).toEqual([
        'gdpr erasure other overdue 3',
      ]);
    });

    it('count up to a limit', async () => {
      for (let n = 0; n < 3; n += 1) await admit();
      const series = { workspaceClass: 'gold', countedBy: 'gdpr', type: 'erasure' } as const;
      expect(await measures.count(series, after(1), 2)).toEqual({ onTrack: 2, atRisk: 0, overdue: 0 });
    });
  });
}
