import { deliveryEvents, messageId, TOPICS, type DeliveryEvent, type LaneSettled, type RequestStatus } from '@opendsr-service/contracts';
import type { Publisher } from '@opendsr-service/messaging';
import { SwitchedPublisher } from '@opendsr-service/messaging/testing';
import { ManualClock } from '@opendsr-service/runtime';
import { ensureIndexes } from '@opendsr-service/storage';
import type { TestDatabase } from '@opendsr-service/storage/testing';
import type { Connection } from 'mongoose';
import { DeliveryCounts } from '../lanes/delivery-counts';
import type { ClaimedLane, Lane } from '../lanes/lane';
import { deliveryId, type Tried } from '../lanes/lane-events';
import { LanesCollection } from '../lanes/lanes-collection.store';
import { LanesStore } from '../lanes/lanes.store';
import { TurnsStore } from '../lanes/turns.store';
import { OutboxStore } from './outbox.store';
import { TellerWorker } from './teller.worker';

const noon = new Date('2026-11-21T12:00:00.000Z');
const LONGEST_TRY_MS = 19_000;
const later = new Date('2026-11-21T12:15:00.000Z');
const of = { ws: 'acme', srid: '475974fa-6b42-4370-bb56-b5d845686bb5' };
const at = '2026-11-21T11:59:00.000Z';
const facts = { controllerId: '1402', apiVersion: '2.0', type: 'access', expectedAt: later.toISOString(), kid: 'kid-1', url: 'c2VhbGVk' } as const;
const idOf = (name: string) => `${of.ws}:${of.srid}|${name}`;
const laneWith = (name: string, ...statuses: RequestStatus[]): Lane =>
  ({ _id: idOf(name), ...of, lane: name, v: statuses.length, pending: statuses.map((status, n) => ({ v: n + 1, status, at })), dueAt: noon, ...facts });
const settled = (lane: string, outcome: LaneSettled['outcome']): LaneSettled =>
  ({ type: 'LaneSettled', id: messageId(idOf(lane), 'settled'), ...of, at: noon.toISOString(), lane, outcome });
const tried = (outcome: Tried['outcome'] = 'delivered', attempt = 1): Tried => ({ at: noon, attempt, outcome });
const given = { at: noon, dueAt: later };
const delivered = [noon, { leaseUntil: later, dueAt: later }] as const;

/** That all that happens on lanes is told to the log, in order, at least once and under one id, on every store (D4). */
export function tellingContract(name: string, database: TestDatabase): void {
  describe(`telling on ${name}`, () => {
    let connection: Connection;
    let lanes: LanesCollection;
    let store: LanesStore;
    let turns: TurnsStore;
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
    const worker = (to: Publisher = publisher, clockOf = clock) => new TellerWorker(new OutboxStore(lanes), to, clockOf, LONGEST_TRY_MS);

    beforeAll(async () => {
      connection = await database.open();
      lanes = new LanesCollection(connection);
      store = new LanesStore(lanes, new DeliveryCounts());
      turns = new TurnsStore(lanes);
      await ensureIndexes(connection);
    });
    beforeEach(async () => {
      await connection.collection('lanes').deleteMany({});
      heard = [];
      publisher = new SwitchedPublisher(log);
    });
    afterAll(() => database.close());

    /** Opens a lane and claims it; that it was queued is told already. */
    const claim = async (...lane: Parameters<typeof laneWith>) => {
      await store.open([laneWith(...lane)], noon);
      await worker().runOnce();
      heard = [];
      const [claimed] = await turns.claimDue(noon, { limit: 1, leaseMs: 60_000 });
      return claimed as ClaimedLane;
    };
    const lane = (called: string) => connection.collection<Lane>('lanes').findOne({ _id: idOf(called) });
    const shown = () => heard.map((event) => [event.type, 'version' in event ? event.version : event.lane]);

    describe('the log is told', () => {
      it('of each callback that waits, and when it is sent', async () => {
        await store.open([laneWith('a', 'pending')], noon);
        await store.append(of, { v: 2, callback: { v: 2, status: 'in_progress', at }, now: noon, dueAt: () => later });
        expect(await worker().runOnce()).toBe(1);
        const queued = { ...of, lane: 'a', at, replay: false };
        expect(heard).toEqual([
          { type: 'CallbackQueued', id: messageId(idOf('a'), 1, 'queued', ''), ...queued, delivery: deliveryId({ _id: idOf('a') }, 1), version: 1, status: 'pending', dueAt: noon.toISOString() },
          { type: 'CallbackQueued', id: messageId(idOf('a'), 2, 'queued', ''), ...queued, delivery: deliveryId({ _id: idOf('a') }, 2), version: 2, status: 'in_progress', dueAt: later.toISOString() },
        ]);
      });

      it('of each try, counted over replays too, and when the next is', async () => {
        const claimed = await claim('a', 'pending');
        await turns.putOff(claimed, { ...tried('rejected'), httpStatus: 503, durationMs: 7, nextAt: later }, { tries: 1, failingSince: noon });
        const [again] = await turns.claimDue(later, { limit: 1, leaseMs: 60_000 });
        expect(again?.attempts).toEqual({ 1: 1 });
        await turns.delivered(again as ClaimedLane, tried('delivered', 2), ...delivered);
        await worker().runOnce();
        const delivery = deliveryId({ _id: idOf('a') }, 1);
        expect(heard).toEqual([
          { type: 'CallbackAttempted', id: messageId(delivery, 'attempt', 1), ...of, lane: 'a', delivery, version: 1, status: 'pending', at: noon.toISOString(), attempt: 1, outcome: 'rejected', httpStatus: 503, durationMs: 7, nextAt: later.toISOString() },
          { type: 'CallbackAttempted', id: messageId(delivery, 'attempt', 2), ...of, lane: 'a', delivery, version: 1, status: 'pending', at: noon.toISOString(), attempt: 2, outcome: 'delivered' },
        ]);
      });

      it.each(['exhausted', 'key-destroyed'] as const)('of each callback that is given up as %s, after the try', async (reason) => {
        await turns.giveUp(await claim('a', 'pending', 'in_progress'), reason, { ...given, tried: tried('rejected') });
        await worker().runOnce();
        expect(shown()).toEqual([['CallbackAttempted', 1], ['CallbackGivenUp', 1], ['CallbackGivenUp', 2]]);
        expect(heard[1]).toMatchObject({ reason, delivery: deliveryId({ _id: idOf('a') }, 1) });
      });

      it('of what came onto a lane while its receiver said that it is gone, and after that', async () => {
        const claimed = await claim('a', 'pending');
        await store.append(of, { v: 2, callback: { v: 2, status: 'in_progress', at }, now: noon, dueAt: () => later });
        await turns.stop(claimed, tried('gone'), noon);
        await store.append(of, { v: 3, callback: { v: 3, status: 'completed', at }, now: noon, dueAt: () => later });
        await worker().runOnce();
        expect(shown()).toEqual([['CallbackQueued', 2], ['CallbackAttempted', 1], ['CallbackGivenUp', 1], ['CallbackGivenUp', 2], ['LaneSettled', 'a'], ['CallbackQueued', 3], ['CallbackGivenUp', 3]]);
      });

      it('that a callback is sent once more, and of each giving up anew', async () => {
        await turns.giveUp(await claim('a', 'pending'), 'exhausted', given);
        await store.replay({ type: 'ReplayCallback', id: messageId('command'), ...of, at, lane: 'a', delivery: deliveryId({ _id: idOf('a') }, 1), version: 1 }, noon);
        const [claimed] = await turns.claimDue(noon, { limit: 1, leaseMs: 60_000 });
        await turns.giveUp(claimed as ClaimedLane, 'key-destroyed', given);
        await worker().runOnce();
        expect(heard).toMatchObject([{ type: 'CallbackGivenUp' }, { type: 'CallbackQueued', replay: true, at, id: messageId(idOf('a'), 1, 'queued', messageId('command')) }, { type: 'CallbackGivenUp', reason: 'key-destroyed' }]);
        expect(new Set(heard.map(({ id }) => id)).size).toBe(3);
      });
    });

    describe('a lane is settled', () => {
      it.each(['completed', 'cancelled'] as const)('by the delivery of %s', async (final) => {
        await turns.delivered(await claim('a', final), tried(), ...delivered);
        await worker().runOnce();
        expect(heard[1]).toEqual(settled('a', 'delivered'));
      });

      it.each(['exhausted', 'key-destroyed'] as const)('where its final status was given up as %s', async (reason) => {
        await turns.giveUp(await claim('a', 'pending', 'in_progress', 'completed'), reason, given);
        await worker().runOnce();
        expect(heard.at(-1)).toEqual(settled('a', reason));
      });

      it('once its receiver is gone, whatever else was to come', async () => {
        await turns.stop(await claim('a', 'pending'), tried('gone'), noon);
        await worker().runOnce();
        expect(heard.at(-1)).toEqual(settled('a', 'gone'));
      });

      it('once, also where a replay behind its final callback is answered 410 in the same turn', async () => {
        await store.open([laneWith('a', 'pending', 'completed')], noon);
        const [first] = await turns.claimDue(noon, { limit: 1, leaseMs: 60_000 });
        const second = await turns.delivered(first as ClaimedLane, tried(), ...delivered);
        await store.replay({ type: 'ReplayCallback', id: messageId('command'), ...of, at, lane: 'a', delivery: deliveryId({ _id: idOf('a') }, 1), version: 1 }, noon);
        await turns.giveBack(second as ClaimedLane, noon);
        const [last] = await turns.claimDue(noon, { limit: 1, leaseMs: 60_000 });
        const replayed = await turns.delivered(last as ClaimedLane, tried(), ...delivered);
        expect(replayed).toMatchObject({ pending: [{ v: 1 }], outcome: 'delivered' });
        expect(await turns.stop(replayed as ClaimedLane, tried('gone', 2), noon)).toBe(1);
        await worker().runOnce();
        expect(heard.filter(({ type }) => type === 'LaneSettled')).toEqual([settled('a', 'delivered')]);
        expect(await lane('a')).toMatchObject({ outcome: 'delivered' });
      });

      it('by the write that takes its last callback off, so that no crash comes between', async () => {
        await turns.delivered(await claim('a', 'completed'), tried(), ...delivered);
        expect(await lane('a')).toMatchObject({ pending: [], tellAt: noon, outcome: 'delivered', outbox: [{ type: 'CallbackAttempted' }, { type: 'LaneSettled' }] });
      });
    });

    it.each<[string, (claimed: ClaimedLane) => Promise<unknown>]>([
      ['while a later status is to come', (claimed) => turns.delivered({ ...claimed, pending: claimed.pending.slice(0, 1) }, tried(), ...delivered)],
      ['by a final status that came while the earlier ones were given up', (claimed) => turns.giveUp({ ...claimed, pending: claimed.pending.slice(0, 1) }, 'exhausted', given)],
      ['while its final status is to be tried again', (claimed) => turns.putOff(claimed, { ...tried('rejected'), nextAt: later }, {})],
      ['by a sender that lost its lease', (claimed) => turns.giveUp({ ...claimed, token: 'lost' }, 'exhausted', given)],
    ])('a lane is not settled %s', async (_when, end) => {
      await end(await claim('a', 'pending', 'cancelled'));
      await worker().runOnce();
      expect(heard.map(({ type }) => type)).not.toContain('LaneSettled');
      expect(await lane('a')).not.toHaveProperty('outcome');
    });

    it('is told once, also where events come again', async () => {
      await turns.delivered(await claim('a', 'completed'), tried(), ...delivered);
      expect(await worker().runOnce()).toBe(1);
      await store.open([laneWith('a', 'completed')], noon);
      await store.append(of, { v: 1, callback: { v: 1, status: 'completed', at }, now: noon, dueAt: () => later });
      expect(await worker().runOnce()).toBe(0);
      expect(heard).toHaveLength(2);
      for (const field of ['tellAt', 'outbox', 'teller']) expect(await lane('a')).not.toHaveProperty(field);
    });

    it('is gathered: a look that found less than a page is the last for now', async () => {
      await store.open([laneWith('a', 'pending')], noon);
      expect(await worker().runPage()).toBe(0);
      expect(heard).toHaveLength(1);
      await store.open(Array.from({ length: 200 }, (_, n) => laneWith(`lane-${n}`, 'pending')), noon);
      expect(await worker().runPage()).toBe(200);
    });

    it('takes out of a lane only what was told, where more is added meanwhile', async () => {
      const claimed = await claim('a', 'pending');
      await turns.putOff(claimed, { ...tried('rejected'), nextAt: noon }, {});
      const [again] = await turns.claimDue(noon, { limit: 1, leaseMs: 60_000 });
      const slow: Publisher = {
        available: true,
        publish: async (...said) => {
          await publisher.publish(...said);
          await turns.delivered(again as ClaimedLane, tried('delivered', 2), ...delivered);
        },
      };
      await worker(slow).runOnce();
      expect((await lane('a'))?.outbox).toMatchObject([{ type: 'CallbackAttempted', attempt: 2 }]);
      expect(await worker().runOnce()).toBe(1);
      expect(heard).toMatchObject([{ attempt: 1 }, { attempt: 2 }]);
      expect(await worker().runOnce()).toBe(0);
    });

    it('is told once that it waits for its version to be served, and anew after it was served', async () => {
      const claimed = await claim('a', 'pending');
      const again = async () => (await turns.claimDue(later, { limit: 1, leaseMs: 60_000 }))[0] as ClaimedLane;
      await turns.putAside(claimed, tried('postponed'), later);
      for (let n = 0; n < 3; n += 1) await turns.putAside(await again(), tried('postponed', 2), later);
      expect(await lane('a')).toMatchObject({ attempts: { 1: 1 }, outbox: { length: 1 }, dueAt: later });
      await turns.putOff(await again(), { ...tried('rejected', 2), nextAt: later }, {});
      await turns.putAside(await again(), tried('postponed', 3), later);
      await worker().runOnce();
      expect(heard.map((event) => ('outcome' in event ? event.outcome : event.type))).toEqual(['postponed', 'rejected', 'postponed']);
      expect(heard[0]).not.toHaveProperty('nextAt');
    });

    describe('of a try that reached nobody', () => {
      const after = (ms: number) => new ManualClock(new Date(noon.getTime() + ms));
      const failed = async () => {
        await turns.putOff(await claim('a', 'pending'), { ...tried('unreachable'), nextAt: later }, {});
      };

      it('the log is told when the longest try would have ended, however long it took, and all behind it after that', async () => {
        await failed();
        expect(await worker().runOnce()).toBe(1);
        expect((await lane('a'))?.tellAt).toEqual(after(LONGEST_TRY_MS).now());
        await store.append(of, { v: 2, callback: { v: 2, status: 'completed', at }, now: noon, dueAt: () => later });
        for (const ms of [1, 5_000, LONGEST_TRY_MS - 1]) await worker(publisher, after(ms)).runOnce();
        expect(heard).toEqual([]);
        expect(await worker(publisher, after(LONGEST_TRY_MS)).runOnce()).toBe(1);
        expect(shown()).toEqual([['CallbackAttempted', 1], ['CallbackQueued', 2]]);
        for (const field of ['tellAt', 'outbox', 'teller']) expect(await lane('a')).not.toHaveProperty(field);
      });

      it('what happened before is told at once, and never again', async () => {
        await store.open([laneWith('a', 'pending')], noon);
        const [claimed] = await turns.claimDue(noon, { limit: 1, leaseMs: 60_000 });
        await turns.putOff(claimed as ClaimedLane, { ...tried('unreachable'), nextAt: later }, {});
        await worker().runOnce();
        expect(shown()).toEqual([['CallbackQueued', 1]]);
        await worker(publisher, after(LONGEST_TRY_MS)).runOnce();
        expect(shown()).toEqual([['CallbackQueued', 1], ['CallbackAttempted', 1]]);
      });

      it('nothing is lost that is added while the rest is put off', async () => {
        await failed();
        const outbox = new OutboxStore(lanes);
        const racing = Object.assign(Object.create(outbox) as OutboxStore, {
          told: async (...told: Parameters<OutboxStore['told']>) => {
            await store.append(of, { v: 2, callback: { v: 2, status: 'completed', at }, now: after(1).now(), dueAt: () => later });
            await outbox.told(...told);
          },
        });
        await new TellerWorker(racing, publisher, clock, LONGEST_TRY_MS).runOnce();
        expect((await lane('a'))?.tellAt).toEqual(after(1).now());
        await worker(publisher, after(LONGEST_TRY_MS)).runOnce();
        expect(shown()).toEqual([['CallbackAttempted', 1], ['CallbackQueued', 2]]);
      });

      it('nobody else has to wait', async () => {
        await failed();
        await store.open([laneWith('b', 'pending')], noon);
        await worker().runOnce();
        expect(shown()).toEqual([['CallbackQueued', 1]]);
      });
    });

    it('of a lane of the version before, that it is settled, once, and holds up no other', async () => {
      await connection.collection<Lane>('lanes').insertOne({ ...laneWith('old'), outcome: 'delivered', tellAt: noon });
      await store.open([laneWith('a', 'pending')], noon);
      const anyones = new ManualClock(new Date(noon.getTime() + 10_000));
      expect(await worker(publisher, anyones).runOnce()).toBe(2);
      expect(heard).toContainEqual(settled('old', 'delivered'));
      expect(await worker(publisher, anyones).runOnce()).toBe(0);
      expect(heard).toHaveLength(2);
      expect(await lane('old')).not.toHaveProperty('tellAt');
    });

    it('waits while the log is away, noticed or not', async () => {
      await store.open([laneWith('a', 'pending')], noon);
      publisher.away = true;
      expect(await worker().runOnce()).toBe(0);
      publisher.away = false;
      publisher.slow = true;
      await expect(worker().runOnce()).rejects.toThrow('away');
      publisher.slow = false;
      expect(await worker().runOnce()).toBe(1);
      expect(heard).toHaveLength(1);
    });

    it('is told again, the same, after a crash between the telling and the note of it', async () => {
      await store.open([laneWith('a', 'pending')], noon);
      const dying: Publisher = {
        available: true,
        publish: async (...said) => {
          await publisher.publish(...said);
          throw new Error('died');
        },
      };
      await expect(worker(dying).runOnce()).rejects.toThrow('died');
      expect(await worker().runOnce()).toBe(1);
      expect(heard).toEqual([heard[0], heard[0]]);
      expect(await worker().runOnce()).toBe(0);
    });

    it('is left to the process that wrote last, unless that does not tell', async () => {
      await store.open([laneWith('a', 'pending')], noon);
      await connection.collection<Lane>('lanes').updateOne({ _id: idOf('a') }, { $set: { teller: 'another' } });
      expect(await worker().runOnce()).toBe(0);
      expect(await worker(publisher, new ManualClock(new Date(noon.getTime() + 10_000))).runOnce()).toBe(1);
    });

    it('is told the same by replicas that find it at the same moment', async () => {
      for (const one of ['a', 'b', 'c']) await store.open([laneWith(one, 'pending')], noon);
      await Promise.all([worker().runOnce(), worker().runOnce()]);
      expect(new Set(heard.map(({ id }) => id)).size).toBe(3);
      expect(await worker().runOnce()).toBe(0);
    });
  });
}
