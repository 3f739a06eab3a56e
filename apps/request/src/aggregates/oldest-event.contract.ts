import { messageId, type RequestEvent } from '@opendsr-service/contracts';
import { ensureIndexes } from '@opendsr-service/storage';
import type { TestDatabase } from '@opendsr-service/storage/testing';
import type { Connection } from 'mongoose';
import { fold } from '../domain/decide';
import { stateOf, type AggregateDocument } from './aggregate.document';
import { AggregatesStore } from './aggregates.store';

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

/** How old the oldest unpublished event is, on every store. */
export function oldestEventContract(name: string, database: TestDatabase): void {
  describe(`measures of aggregates on ${name}`, () => {
    let connection: Connection;
    let store: AggregatesStore;
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
      await ensureIndexes(connection);
    });
    beforeEach(() => connection.collection('aggregates').deleteMany({}));
    afterAll(() => database.close());

    it('measure the age of the oldest event by our own clock, regardless of later writes and postponements', async () => {
      expect(await store.oldestUnpublished(noon)).toBeUndefined();
      const first = await write('first', 1, noon);
      await write('second', 1, later(1_000));
      await store.reschedule(first, later(600_000));
      const again = await write('first', 2, later(2_000));
      expect(await store.oldestUnpublished(later(3_000))).toEqual(noon);

      await publish(again);
      expect(await store.oldestUnpublished(later(3_000))).toEqual(later(1_000));
      await write('first', 3, later(4_000));
      await publish(await store.load(ws, 'second'));
      expect(await store.oldestUnpublished(later(5_000))).toEqual(later(4_000));
    });

    it('find the oldest event regardless of the order of publication', async () => {
      const oldest = await write('oldest', 1, later(-3_600_000));
      await store.reschedule(oldest, later(3_600_000));
      const writeBoth = async (n: number) => [
        await write(`early-${n}`, 1, noon),
        await store.reschedule(await write(`late-${n}`, 1, noon), later(7_200_000)),
      ];
      await Promise.all(Array.from({ length: 210 }, (_, n) => writeBoth(n)));
      expect(await store.oldestUnpublished(noon)).toEqual(later(-3_600_000));
    });
  });
}
