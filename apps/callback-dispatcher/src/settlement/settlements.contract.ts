import { deliveryEvents, messageId, TOPICS, type DeliveryEvent, type LaneSettled, type RequestStatus } from '@opendsr-service/contracts';
import type { Publisher } from '@opendsr-service/messaging';
import { SwitchedPublisher } from '@opendsr-service/messaging/testing';
import { ManualClock } from '@opendsr-service/runtime';
import { ensureIndexes, type Storage } from '@opendsr-service/storage';
import type { Connection } from 'mongoose';
import type { ClaimedLane, Lane } from '../lanes/lane';
import { LanesStore } from '../lanes/lanes.store';
import { SettlementsWorker } from './settlements.worker';

const noon = new Date('2026-11-21T12:00:00.000Z');
const later = new Date('2026-11-21T12:15:00.000Z');
const of = { ws: 'acme', srid: '475974fa-6b42-4370-bb56-b5d845686bb5' };
const at = '2026-11-21T11:59:00.000Z';
const facts = { controllerId: '1402', apiVersion: '2.0', type: 'access', expectedAt: later.toISOString(), kid: 'kid-1', url: 'c2VhbGVk' } as const;
const idOf = (name: string) => `${of.ws}:${of.srid}|${name}`;
const laneWith = (name: string, ...statuses: RequestStatus[]): Lane =>
  ({ _id: idOf(name), ...of, lane: name, v: statuses.length, pending: statuses.map((status, n) => ({ v: n + 1, status, at })), dueAt: noon, ...facts });
const told = (lane: string, outcome: LaneSettled['outcome']): LaneSettled =>
  ({ type: 'LaneSettled', id: messageId(idOf(lane), 'settled'), ...of, at: noon.toISOString(), lane, outcome });

/** That every lane on which nothing will be sent any more is told to the log, at least once and under one id, on every store (D4). */
export function settlementsContract(name: string, open: () => Promise<Storage>): void {
  describe(`settlements on ${name}`, () => {
    let storage: Storage;
    let connection: Connection;
    let store: LanesStore;
    let heard: DeliveryEvent[];
    let publisher: SwitchedPublisher;
    const clock = new ManualClock(noon);
    const log: Publisher = {
      available: true,
      publish: (topic, records) => {
        expect(topic).toBe(TOPICS.deliveryEvents.name);
        heard.push(...records.map((record) => deliveryEvents.decode(record as Parameters<typeof deliveryEvents.decode>[0])));
        return Promise.resolve();
      },
    };
    const worker = (to: Publisher = publisher) => new SettlementsWorker(store, to, clock);

    beforeAll(async () => {
      storage = await open();
      connection = await storage.database('callback_dispatcher');
      store = new LanesStore(connection);
      await ensureIndexes(connection);
    });
    beforeEach(async () => {
      await connection.collection('lanes').deleteMany({});
      heard = [];
      publisher = new SwitchedPublisher(log);
    });
    afterAll(() => storage.close());

    /** Opens a lane and claims it. */
    const claim = async (...lane: Parameters<typeof laneWith>) => {
      await store.open([laneWith(...lane)]);
      const [claimed] = await store.claimDue(noon, 1, 60_000);
      return claimed as ClaimedLane;
    };
    const lane = (called: string) => connection.collection<Lane>('lanes').findOne({ _id: idOf(called) });

    describe('a lane is settled', () => {
      it.each(['completed', 'cancelled'] as const)('by the delivery of %s', async (final) => {
        await store.delivered(await claim('a', final), noon, later);
        expect(await worker().runOnce()).toBe(1);
        expect(heard).toEqual([told('a', 'delivered')]);
      });

      it.each(['exhausted', 'key-destroyed'] as const)('where its final status was given up as %s', async (reason) => {
        await store.giveUp(await claim('a', 'pending', 'in_progress', 'completed'), reason, noon, later);
        expect(await worker().runOnce()).toBe(1);
        expect(heard).toEqual([told('a', reason)]);
      });

      it('once its receiver is gone, whatever else was to come', async () => {
        await store.stop(await claim('a', 'pending'), noon);
        expect(await worker().runOnce()).toBe(1);
        expect(heard).toEqual([told('a', 'gone')]);
      });

      it('by the write that takes its last callback off, so that no crash comes between', async () => {
        await store.delivered(await claim('a', 'completed'), noon, later);
        expect(await lane('a')).toMatchObject({ pending: [], tellAt: noon, outcome: 'delivered' });
      });
    });

    describe('a lane is not settled', () => {
      it('while a later status is to come', async () => {
        await store.delivered(await claim('a', 'pending', 'in_progress'), noon, later);
        await store.giveUp(await claim('b', 'pending', 'in_progress'), 'exhausted', noon, later);
        expect(await worker().runOnce()).toBe(0);
        expect(heard).toEqual([]);
      });

      it('while its final status is to be tried again', async () => {
        await store.putOff(await claim('a', 'completed'), later, { tries: 1, failingSince: noon });
        expect(await worker().runOnce()).toBe(0);
      });

      it('by a final status that came while the earlier ones were given up', async () => {
        const claimed = await claim('a', 'pending');
        await store.append(of, { v: 2, callback: { v: 2, status: 'cancelled', at } }, later);
        await store.giveUp(claimed, 'exhausted', noon, later);
        expect(await worker().runOnce()).toBe(0);
      });

      it('by a sender that lost its lease', async () => {
        const late = await claim('a', 'completed');
        await store.claimDue(later, 1, 60_000);
        expect(await store.delivered(late, noon, later)).toBe(false);
        expect(await worker().runOnce()).toBe(0);
      });
    });

    it('is told once, also where events come again', async () => {
      await store.delivered(await claim('a', 'completed'), noon, later);
      await worker().runOnce();
      await store.open([laneWith('a', 'completed')]);
      await store.append(of, { v: 1, callback: { v: 1, status: 'completed', at } }, later);
      expect(await worker().runOnce()).toBe(0);
      expect(heard).toHaveLength(1);
      expect(await lane('a')).not.toHaveProperty('tellAt');
    });

    it('is told of all lanes, each under an id of its own', async () => {
      for (const one of ['a', 'b', 'c']) await store.delivered(await claim(one, 'completed'), noon, later);
      expect(await worker().runOnce()).toBe(3);
      expect(new Set(heard.map(({ id }) => id)).size).toBe(3);
    });

    it('waits while the log is away, noticed or not', async () => {
      await store.delivered(await claim('a', 'completed'), noon, later);
      publisher.away = true;
      expect(await worker().runOnce()).toBe(0);
      publisher.away = false;
      publisher.slow = true;
      await expect(worker().runOnce()).rejects.toThrow('away');
      publisher.slow = false;
      expect(await worker().runOnce()).toBe(1);
      expect(heard).toEqual([told('a', 'delivered')]);
    });

    it('is told again, the same, after a crash between the telling and the note of it', async () => {
      await store.delivered(await claim('a', 'completed'), noon, later);
      const dying: Publisher = {
        available: true,
        publish: async (...said) => {
          await publisher.publish(...said);
          throw new Error('died');
        },
      };
      await expect(worker(dying).runOnce()).rejects.toThrow('died');
      expect(await worker().runOnce()).toBe(1);
      expect(heard).toEqual([told('a', 'delivered'), told('a', 'delivered')]);
      expect(await worker().runOnce()).toBe(0);
    });

    it('is told the same by replicas that find it at the same moment', async () => {
      await store.delivered(await claim('a', 'completed'), noon, later);
      await Promise.all([worker().runOnce(), worker().runOnce()]);
      expect(new Set(heard.map(({ id }) => id)).size).toBe(1);
      expect(await worker().runOnce()).toBe(0);
    });
  });
}
