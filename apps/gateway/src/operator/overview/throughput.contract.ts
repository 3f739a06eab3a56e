import { requestKey } from '@opendsr-service/contracts';
import { ensureIndexes } from '@opendsr-service/storage';
import type { TestDatabase } from '@opendsr-service/storage/testing';
import type { Connection } from 'mongoose';
import { requestsCollection } from '../../admission/requests-collection.store';
import { ListedRequestsStore } from '../requests/listed-requests.store';
import { DAYS, lastDays, Throughput, type Dated } from './throughput';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const NOW = new Date('2026-11-21T12:30:00Z');
const WORKSPACES = ['ws0', 'ws1'];

interface Planted extends Readonly<Partial<Record<Dated['field'], Date>>> {
  readonly _id: string;
  readonly ws: string;
}

/**
 * One each two hours, in turn over two workspaces, for longer than days are counted. Every third was cancelled at once, the
 * others were completed a day later.
 */
export const plantedRequests = (): readonly Planted[] =>
  Array.from({ length: 12 * (DAYS + 3) }, (_, n) => {
    const [ws, srid] = [WORKSPACES[n % 2] ?? '', String(n)];
    const receivedAt = new Date(NOW.getTime() - n * 2 * HOUR_MS);
    const completedAt = new Date(receivedAt.getTime() + DAY_MS);
    const isCompleted = n % 3 > 0 && completedAt <= NOW;
    const status = n % 3 === 0 ? 'cancelled' : isCompleted ? 'completed' : 'pending';
    return {
      ...{ _id: requestKey(ws, srid), ws, srid, status, type: 'access', receivedAt, expectedAt: receivedAt },
      ...(status === 'cancelled' && { cancelledAt: receivedAt }),
      ...(isCompleted && { completedAt }),
    };
  });

const dayOf = (at: Date): string => at.toISOString().slice(0, 10);

/** The counts of each day, on every store. */
export function throughputContract(name: string, database: TestDatabase): void {
  describe(`counts of days on ${name}`, () => {
    let connection: Connection;
    const planted = plantedRequests();
    beforeAll(async () => {
      connection = await database.open();
      requestsCollection(connection);
      await ensureIndexes(connection, { optional: true });
      await connection.collection<{ _id: string }>('requests').insertMany([...planted]);
    });
    afterAll(() => database.close());

    const dates: readonly Dated[] = [undefined, ...WORKSPACES].flatMap((ws) =>
      (['receivedAt', 'completedAt', 'cancelledAt'] as const).map((field) => ({ ws, field })),
    );

    it.each(dates)('are those of each day in UTC, with %j', async ({ ws, field }) => {
      const throughput = new Throughput(new ListedRequestsStore(connection));
      const days = planted
        .filter((one) => ws === undefined || one.ws === ws)
        .flatMap(({ [field]: at }) => (at ? [dayOf(at)] : []));
      const expected = lastDays(NOW).map((day) => days.filter((one) => one === dayOf(day)).length);
      expect(await throughput.at(NOW).perDay({ ws, field })).toEqual(expected);
      expect(expected.every((count) => count > 0)).toBe(true);
    });
  });
}
