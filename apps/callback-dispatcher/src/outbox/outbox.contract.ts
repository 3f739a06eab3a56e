import { messageId } from '@opendsr-service/contracts';
import { PublishRefused, type Publisher } from '@opendsr-service/messaging';
import { ManualClock } from '@opendsr-service/service';
import type { TestDatabase } from '@opendsr-service/storage/testing';
import type { ClaimedDestination, Destination } from '../destinations/destination';
import { deliveryId } from '../destinations/destination-events';
import {
  at,
  delivered,
  given,
  idOf,
  destinationWith,
  later,
  noon,
  of,
  settled,
  outboxWorld,
  tried,
} from '../testing/outbox-world';

/** All that happens on destinations is published, in order, at least once and under one id, on every store (decision 4). */
export function outboxContract(name: string, database: TestDatabase): void {
  describe(`publication on ${name}`, () => {
    const world = outboxWorld(database);
    const { worker, claim, destination, shown } = world;

    it('what the log refuses of one request holds up no other, and is published later', async () => {
      await world.leaveAttempts('a', 'b');
      world.heard.length = 0;
      const partial: Publisher = {
        available: true,
        publish: (topic, records) =>
          records.some(({ value }) => String(value).includes('"destination":"a"'))
            ? Promise.reject(new PublishRefused('away', 'a partition takes no records'))
            : world.publisher.publish(topic, records),
      };
      const clock = new ManualClock(noon);
      await worker(partial, clock).runOnce();
      expect(world.heard.map((event) => event.destination)).toEqual(['b']);
      expect((await destination('b'))?.outbox).toBeUndefined();
      expect(await worker(partial, clock).runOnce()).toBe(0);
      expect((await destination('a'))?.outboxSince).toEqual(noon);
      clock.advance(5_000);
      await worker(undefined, clock).runOnce();
      expect(world.heard.map((event) => event.destination)).toEqual(['b', 'a']);
    });

    describe('an event is published', () => {
      it('of each queued callback, with its due time, and without a write of its own', async () => {
        await world.store.open([destinationWith('a', 'pending')], noon);
        await world.store.append(of, {
          v: 2,
          callback: { v: 2, status: 'in_progress', at },
          now: noon,
          dueAt: () => later,
        });
        expect(await worker().runOnce()).toBe(0);
        const queued = { ...of, destination: 'a', at, replay: false };
        expect(world.heard).toEqual([
          {
            type: 'CallbackQueued',
            id: messageId(idOf('a'), 1, 'queued', ''),
            ...queued,
            delivery: deliveryId({ _id: idOf('a') }, 1),
            version: 1,
            status: 'pending',
            dueAt: noon.toISOString(),
          },
          {
            type: 'CallbackQueued',
            id: messageId(idOf('a'), 2, 'queued', ''),
            ...queued,
            delivery: deliveryId({ _id: idOf('a') }, 2),
            version: 2,
            status: 'in_progress',
            dueAt: later.toISOString(),
          },
        ]);
      });

      it('of each attempt, counted over replays too, with the time of the next', async () => {
        const claimed = await claim('a', 'pending');
        await world.claims.reschedule(
          claimed,
          { ...tried('rejected'), httpStatus: 503, durationMs: 7, nextAt: later },
          { tries: 1, failingSince: noon },
        );
        const [again] = await world.claims.claimDue(later, { limit: 1, leaseMs: 60_000 });
        expect(again?.attempts).toEqual({ 1: 1 });
        await world.claims.markDelivered(again as ClaimedDestination, tried('delivered', 2), ...delivered);
        await worker().runOnce();
        const delivery = deliveryId({ _id: idOf('a') }, 1);
        expect(world.heard).toEqual([
          {
            type: 'CallbackAttempted',
            id: messageId(delivery, 'attempt', 1),
            ...of,
            destination: 'a',
            delivery,
            version: 1,
            status: 'pending',
            at: noon.toISOString(),
            attempt: 1,
            outcome: 'rejected',
            httpStatus: 503,
            durationMs: 7,
            nextAt: later.toISOString(),
          },
          {
            type: 'CallbackAttempted',
            id: messageId(delivery, 'attempt', 2),
            ...of,
            destination: 'a',
            delivery,
            version: 1,
            status: 'pending',
            at: noon.toISOString(),
            attempt: 2,
            outcome: 'delivered',
          },
        ]);
      });

      it.each(['exhausted', 'key-destroyed'] as const)(
        'of each callback given up as %s, after the attempt',
        async (reason) => {
          await world.claims.giveUp(await claim('a', 'pending', 'in_progress'), reason, {
            ...given,
            tried: tried('rejected'),
          });
          await worker().runOnce();
          expect(shown()).toEqual([
            ['CallbackAttempted', 1],
            ['CallbackGivenUp', 1],
            ['CallbackGivenUp', 2],
          ]);
          expect(world.heard[1]).toMatchObject({ reason, delivery: deliveryId({ _id: idOf('a') }, 1) });
        },
      );

      it('of each callback that is added while its receiver responds 410, or later', async () => {
        const claimed = await claim('a', 'pending');
        await world.store.append(of, {
          v: 2,
          callback: { v: 2, status: 'in_progress', at },
          now: noon,
          dueAt: () => later,
        });
        await world.claims.settleGone(claimed, tried('gone'), noon);
        await world.store.append(of, {
          v: 3,
          callback: { v: 3, status: 'completed', at },
          now: noon,
          dueAt: () => later,
        });
        await worker().runOnce();
        expect(shown()).toEqual([
          ['CallbackQueued', 2],
          ['CallbackAttempted', 1],
          ['CallbackGivenUp', 1],
          ['CallbackGivenUp', 2],
          ['DestinationSettled', 'a'],
          ['CallbackQueued', 3],
          ['CallbackGivenUp', 3],
        ]);
      });

      it('of each replay, and of each later CallbackGivenUp', async () => {
        await world.claims.giveUp(await claim('a', 'pending'), 'exhausted', given);
        await world.store.replay(
          {
            type: 'ReplayCallback',
            id: messageId('command'),
            ...of,
            at,
            destination: 'a',
            delivery: deliveryId({ _id: idOf('a') }, 1),
            version: 1,
          },
          noon,
        );
        const [claimed] = await world.claims.claimDue(noon, { limit: 1, leaseMs: 60_000 });
        await world.claims.giveUp(claimed as ClaimedDestination, 'key-destroyed', given);
        await worker().runOnce();
        expect(world.heard).toMatchObject([
          { type: 'CallbackGivenUp' },
          { type: 'CallbackQueued', replay: true, at, id: messageId(idOf('a'), 1, 'queued', messageId('command')) },
          { type: 'CallbackGivenUp', reason: 'key-destroyed' },
        ]);
        expect(new Set(world.heard.map(({ id }) => id)).size).toBe(3);
      });
    });

    describe('a destination is settled', () => {
      it.each(['completed', 'cancelled'] as const)('by the delivery of %s', async (final) => {
        await world.claims.markDelivered(await claim('a', final), tried(), ...delivered);
        await worker().runOnce();
        expect(world.heard[1]).toEqual(settled('a', 'delivered'));
      });

      it.each(['exhausted', 'key-destroyed'] as const)('when its final status is given up as %s', async (reason) => {
        await world.claims.giveUp(await claim('a', 'pending', 'in_progress', 'completed'), reason, given);
        await worker().runOnce();
        expect(world.heard.at(-1)).toEqual(settled('a', reason));
      });

      it('once its receiver is gone, regardless of later events', async () => {
        await world.claims.settleGone(await claim('a', 'pending'), tried('gone'), noon);
        await worker().runOnce();
        expect(world.heard.at(-1)).toEqual(settled('a', 'gone'));
      });

      it('once, also where a replay behind its final callback is answered 410 in the same delivery run', async () => {
        await world.store.open([destinationWith('a', 'pending', 'completed')], noon);
        const [first] = await world.claims.claimDue(noon, { limit: 1, leaseMs: 60_000 });
        const second = await world.claims.markDelivered(first as ClaimedDestination, tried(), ...delivered);
        await world.store.replay(
          {
            type: 'ReplayCallback',
            id: messageId('command'),
            ...of,
            at,
            destination: 'a',
            delivery: deliveryId({ _id: idOf('a') }, 1),
            version: 1,
          },
          noon,
        );
        await world.claims.release(second as ClaimedDestination, noon);
        const [last] = await world.claims.claimDue(noon, { limit: 1, leaseMs: 60_000 });
        const replayed = await world.claims.markDelivered(last as ClaimedDestination, tried(), ...delivered);
        expect(replayed).toMatchObject({ pending: [{ v: 1 }], outcome: 'delivered' });
        expect(await world.claims.settleGone(replayed as ClaimedDestination, tried('gone', 2), noon)).toBe(1);
        await worker().runOnce();
        expect(world.heard.filter(({ type }) => type === 'DestinationSettled')).toEqual([settled('a', 'delivered')]);
        expect(await destination('a')).toMatchObject({ outcome: 'delivered' });
      });

      it('in the same write that removes its last callback', async () => {
        await world.claims.markDelivered(await claim('a', 'completed'), tried(), ...delivered);
        expect(await destination('a')).toMatchObject({
          pending: [],
          outboxAt: noon,
          outcome: 'delivered',
          outbox: [{ type: 'CallbackAttempted' }, { type: 'DestinationSettled' }],
        });
      });
    });

    it.each<[string, (claimed: ClaimedDestination) => Promise<unknown>]>([
      [
        'while a later status is to come',
        (claimed) =>
          world.claims.markDelivered({ ...claimed, pending: claimed.pending.slice(0, 1) }, tried(), ...delivered),
      ],
      [
        'by a final status that came while the earlier ones were given up',
        (claimed) => world.claims.giveUp({ ...claimed, pending: claimed.pending.slice(0, 1) }, 'exhausted', given),
      ],
      [
        'while its final status is to be tried again',
        (claimed) => world.claims.reschedule(claimed, { ...tried('rejected'), nextAt: later }, {}),
      ],
      [
        'by a sender that lost its lease',
        (claimed) => world.claims.giveUp({ ...claimed, token: 'lost' }, 'exhausted', given),
      ],
    ])('a destination is not settled %s', async (_when, end) => {
      await end(await claim('a', 'pending', 'cancelled'));
      await worker().runOnce();
      expect(world.heard.map(({ type }) => type)).not.toContain('DestinationSettled');
      expect(await destination('a')).not.toHaveProperty('outcome');
    });

    it('happens once, also for repeated events', async () => {
      await world.claims.markDelivered(await claim('a', 'completed'), tried(), ...delivered);
      expect(await worker().runOnce()).toBe(1);
      await world.store.open([destinationWith('a', 'completed')], noon);
      await world.store.append(of, {
        v: 1,
        callback: { v: 1, status: 'completed', at },
        now: noon,
        dueAt: () => later,
      });
      expect(await worker().runOnce()).toBe(0);
      expect(world.heard).toHaveLength(2);
      for (const field of ['outboxAt', 'outbox', 'outboxBy']) expect(await destination('a')).not.toHaveProperty(field);
    });

    it('ends its run after a partial page', async () => {
      await world.leaveAttempts('a');
      expect(await worker().runPage()).toBe(0);
      expect(world.heard).toHaveLength(1);
      await world.leaveAttempts(...Array.from({ length: 200 }, (_, n) => `destination-${n}`));
      expect(await worker().runPage()).toBe(200);
    });

    it('empties all outboxes of a length by one write', async () => {
      const { documents } = world.destinations;
      await world.leaveAttempts('a', 'b', 'c');
      await world.claims.markDelivered(await claim('d', 'completed'), tried(), ...delivered);
      await world.claims.markDelivered(await claim('e', 'completed'), tried(), ...delivered);
      const spies = [jest.spyOn(documents, 'updateMany'), jest.spyOn(documents, 'bulkWrite')];
      expect(await worker().runOnce()).toBe(5);
      expect(spies.map((spy) => spy.mock.calls.length)).toEqual([2, 0]);
      for (const spy of spies) spy.mockRestore();
      for (const name of ['a', 'b', 'c', 'd', 'e']) expect(await destination(name)).not.toHaveProperty('outboxAt');
    });

    it('removes only published events from a destination if more are added meanwhile', async () => {
      const claimed = await claim('a', 'pending');
      await world.claims.reschedule(claimed, { ...tried('rejected'), nextAt: noon }, {});
      const [again] = await world.claims.claimDue(noon, { limit: 1, leaseMs: 60_000 });
      const slow: Publisher = {
        available: true,
        publish: async (...said) => {
          await world.publisher.publish(...said);
          await world.claims.markDelivered(again as ClaimedDestination, tried('delivered', 2), ...delivered);
        },
      };
      await worker(slow).runOnce();
      expect((await destination('a'))?.outbox).toMatchObject([{ type: 'CallbackAttempted', attempt: 2 }]);
      expect(await worker().runOnce()).toBe(1);
      expect(world.heard).toMatchObject([{ attempt: 1 }, { attempt: 2 }]);
      expect(await worker().runOnce()).toBe(0);
    });

    it('reports once that a version is not served, and again after it was served', async () => {
      const claimed = await claim('a', 'pending');
      const again = async () =>
        (await world.claims.claimDue(later, { limit: 1, leaseMs: 60_000 }))[0] as ClaimedDestination;
      await world.claims.defer(claimed, tried('postponed'), later);
      for (let n = 0; n < 3; n += 1) await world.claims.defer(await again(), tried('postponed', 2), later);
      expect(await destination('a')).toMatchObject({ attempts: { 1: 1 }, outbox: { length: 1 }, dueAt: later });
      await world.claims.reschedule(await again(), { ...tried('rejected', 2), nextAt: later }, {});
      await world.claims.defer(await again(), tried('postponed', 3), later);
      await worker().runOnce();
      expect(world.heard.map((event) => ('outcome' in event ? event.outcome : event.type))).toEqual([
        'postponed',
        'rejected',
        'postponed',
      ]);
      expect(world.heard[0]).not.toHaveProperty('nextAt');
    });

    it('waits while the event log is away, before and after the process notices it', async () => {
      await world.leaveAttempts('a');
      world.publisher.away = true;
      expect(await worker().runOnce()).toBe(0);
      world.publisher.away = false;
      world.publisher.slow = true;
      await expect(worker().runOnce()).rejects.toThrow('away');
      world.publisher.slow = false;
      expect(await worker().runOnce()).toBe(1);
      expect(world.heard).toHaveLength(1);
    });

    it('repeats an event unchanged after a crash before its removal', async () => {
      await world.leaveAttempts('a');
      const dying: Publisher = {
        available: true,
        publish: async (...said) => {
          await world.publisher.publish(...said);
          throw new Error('died');
        },
      };
      await expect(worker(dying).runOnce()).rejects.toThrow('died');
      expect(await worker().runOnce()).toBe(1);
      expect(world.heard).toEqual([world.heard[0], world.heard[0]]);
      expect(await worker().runOnce()).toBe(0);
    });

    it('is done by the process that wrote last, or by another one if that fails', async () => {
      await world.leaveAttempts('a');
      await world.connection
        .collection<Destination>('destinations')
        .updateOne({ _id: idOf('a') }, { $set: { outboxBy: 'another' } });
      expect(await worker().runOnce()).toBe(0);
      expect(await worker(world.publisher, new ManualClock(new Date(noon.getTime() + 10_000))).runOnce()).toBe(1);
    });

    it('is identical if replicas find the same events at the same time', async () => {
      await world.leaveAttempts('a', 'b', 'c');
      await Promise.all([worker().runOnce(), worker().runOnce()]);
      expect(new Set(world.heard.map(({ id }) => id)).size).toBe(3);
      expect(await worker().runOnce()).toBe(0);
    });
  });
}
