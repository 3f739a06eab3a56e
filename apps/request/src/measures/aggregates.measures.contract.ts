import { messageId, type RequestEvent } from '@opendsr-service/contracts';
import { ensureIndexes } from '@opendsr-service/storage';
import type { TestDatabase } from '@opendsr-service/storage/testing';
import type { Connection } from 'mongoose';
import { stateOf, type AggregateDocument } from '../aggregates/aggregate.document';
import { AggregatesStore } from '../aggregates/aggregates.store';
import { fold } from '../domain/decide';
import { AggregateMeasures } from './aggregates.measures.store';

const noon = new Date('2026-11-21T12:00:00Z');
const later = (ms: number) => new Date(noon.getTime() + ms);
const ws = 'acme';
const cancelled = (srid: string, version: number): RequestEvent => ({
  type: 'RequestCancelled',
  id: messageId(srid, version),
  ws,
  srid,
  version,
  commandSeq: version,
  at: '2020-01-01T00:00:00.000Z',
});

/** What the request service's measures say, on every store. */
export function aggregateMeasuresContract(name: string, database: TestDatabase): void {
  describe(`measures of aggregates on ${name}`, () => {
    let connection: Connection;
    let store: AggregatesStore;
    let measures: AggregateMeasures;
    const write = async (srid: string, version: number, now: Date) => {
      const before = await store.load(ws, srid);
      const events = [cancelled(srid, version)];
      return store.save(before, fold(stateOf(before), events), events, {
        now,
        outboxAt: new Date(now.getTime() + 5_000),
      });
    };

    const publish = async (aggregate: AggregateDocument | null) => {
      store.markPublished(aggregate as AggregateDocument, noon);
      await store.emptyPublished();
    };

    beforeAll(async () => {
      connection = await database.open();
      store = new AggregatesStore(connection);
      measures = new AggregateMeasures(connection);
      await ensureIndexes(connection);
    });
    beforeEach(() => connection.collection('aggregates').deleteMany({}));
    afterAll(() => database.close());

    it('measure the age of the oldest event by our own clock, regardless of later writes and postponements', async () => {
      expect(await measures.oldestEvent(noon)).toBeUndefined();
      const first = await write('first', 1, noon);
      await write('second', 1, later(1_000));
      await store.reschedule(first, later(600_000));
      const again = await write('first', 2, later(2_000));
      expect(await measures.oldestEvent(later(3_000))).toEqual(noon);

      await publish(again);
      expect(await measures.oldestEvent(later(3_000))).toEqual(later(1_000));
      await write('first', 3, later(4_000));
      await publish(await store.load(ws, 'second'));
      expect(await measures.oldestEvent(later(5_000))).toEqual(later(4_000));
    });

    it('find the oldest event regardless of the order of publication', async () => {
      const oldest = await write('oldest', 1, later(-3_600_000));
      await store.reschedule(oldest, later(3_600_000));
      const writeBoth = async (n: number) => [
        await write(`early-${n}`, 1, noon),
        await store.reschedule(await write(`late-${n}`, 1, noon), later(7_200_000)),
      ];
      await Promise.all(Array.from({ length: 210 }, (_, n) => writeBoth(n)));
      expect(await measures.oldestEvent(noon)).toEqual(later(-3_600_000));
    });
  });
}
