import { ManualClock } from '@opendsr-service/service';
import type { TestDatabase } from '@opendsr-service/storage/testing';
import type { ClaimedDestination } from '../destinations/destination';
import { deliveryId } from '../destinations/destination-events';
import { DestinationOutbox } from '../outbox/outbox.store';
import { RelayWorker } from '../outbox/relay.worker';
import {
  at,
  delivered,
  given,
  idOf,
  later,
  destinationWith,
  LONGEST_TRY_MS,
  noon,
  of,
  outboxWorld,
  tried,
} from '../testing/outbox-world';
import { DestinationMeasures } from './destinations.measures.store';

const MANY = 1_000;
const days = (count: number) => new Date(noon.getTime() + count * 86_400_000);

/** What the callback-dispatcher's measures say, on every store. */
export function destinationMeasuresContract(name: string, database: TestDatabase): void {
  describe(`measures of destinations on ${name}`, () => {
    const world = outboxWorld(database);
    let measures: DestinationMeasures;
    beforeAll(() => {
      measures = new DestinationMeasures(world.destinations);
    });

    it('find the destination that is overdue the longest, and none before its time', async () => {
      await world.store.open(
        [destinationWith('a', 'pending'), { ...destinationWith('b', 'pending'), dueAt: later }],
        noon,
      );
      expect(await measures.due(new Date(noon.getTime() - 1))).toBeUndefined();
      expect(await measures.due(days(1))).toEqual(noon);
    });

    it('measure the age of the first unpublished event, and nothing once all are published', async () => {
      const fail = (claimed: ClaimedDestination, at: Date, attempt = 1) =>
        world.claims.reschedule(claimed, { ...tried('rejected', attempt), at, nextAt: at }, {});
      const claimAt = async (now: Date) =>
        (await world.claims.claimDue(now, { limit: 1, leaseMs: 60_000 }))[0] as ClaimedDestination;
      await fail(await world.claim('a', 'pending'), noon);
      await come(2, at);
      await fail(await claimAt(later), later, 2);
      await world.claims.giveUp(
        (await world.claims.claimDue(later, { limit: 1, leaseMs: 60_000 }))[0] as ClaimedDestination,
        'exhausted',
        { at: later, dueAt: later },
      );
      await replay(1);
      expect((await world.destination('a'))?.outbox).toHaveLength(5);
      expect(await measures.unpublished(days(1))).toEqual(noon);
      await world.worker(world.publisher, new ManualClock(later)).runOnce();
      expect(await measures.unpublished(days(1))).toBeUndefined();
      await fail(await claimAt(days(1)), days(1), 3);
      expect(await measures.unpublished(days(2))).toEqual(days(1));
    });

    it('measure the age of the remaining events if one was added during publication', async () => {
      await world.leaveAttempts('a');
      await world.claims.markDelivered(await world.claim('b', 'pending'), tried(), ...delivered);
      const outbox = new DestinationOutbox(world.destinations);
      const racing = Object.assign(Object.create(outbox) as DestinationOutbox, {
        markPublished: async (...published: Parameters<DestinationOutbox['markPublished']>) => {
          await world.claims.markDelivered(
            (await world.claims.claimDue(later, { limit: 1, leaseMs: 60_000 }))[0] as ClaimedDestination,
            { ...tried(), at: later },
            later,
            { leaseUntil: later, dueAt: later },
          );
          await outbox.markPublished(...published);
        },
      });
      const look = new Date(later.getTime() - 1);
      await new RelayWorker(racing, world.publisher, new ManualClock(look), LONGEST_TRY_MS).runOnce();
      expect(await measures.unpublished(days(1))).toEqual(look);
      await world.worker(world.publisher, new ManualClock(days(1))).runOnce();
      expect(await measures.unpublished(days(1))).toBeUndefined();
    });

    it('count events held back from the time that they may be published', async () => {
      await world.claims.reschedule(await world.claim('a', 'pending'), { ...tried('unreachable'), nextAt: later }, {});
      await world.worker().runOnce();
      const tellable = new Date(noon.getTime() + LONGEST_TRY_MS);
      const before = new Date(tellable.getTime() - 1);
      expect(await measures.unpublished(before)).toBeUndefined();
      await come(2, at);
      await world.worker(world.publisher, new ManualClock(before)).runOnce();
      expect([await measures.unpublished(before), await measures.unpublished(later)]).toEqual([undefined, tellable]);
    });

    it('count the destinations that have something to send, up to a limit', async () => {
      await world.claims.markDelivered(await world.claim('sent', 'pending'), tried(), ...delivered);
      await world.store.open(
        ['a', 'b', 'c'].map((destination) => destinationWith(destination, 'pending', 'in_progress')),
        noon,
      );
      expect([await measures.undelivered(MANY), await measures.undelivered(2)]).toEqual([3, 2]);
    });

    it('find the oldest undelivered status change, regardless of its next attempt', async () => {
      expect(await measures.oldestUndelivered(noon)).toBeUndefined();
      const waiting = (name: string, at: string, dueAt: Date) => ({
        ...destinationWith(name, 'pending'),
        pending: [{ v: 1, status: 'pending', at } as const],
        dueAt,
      });
      const many = Array.from({ length: 210 }, (_, n) => [
        waiting(`fresh-${n}`, at, noon),
        waiting(`late-${n}`, '2026-11-21T11:00:00.000Z', days(2)),
      ]);
      await world.store.open([waiting('old', '2026-11-15T00:00:00.000Z', days(1)), ...many.flat()], noon);
      expect(await measures.oldestUndelivered(noon)).toEqual(new Date('2026-11-15T00:00:00.000Z'));
    });

    it('continue with the next oldest, and return nothing once all are delivered', async () => {
      const claimed = await world.claim('a', 'pending');
      await come(2, '2026-11-21T11:59:10.000Z');
      expect(await measures.oldestUndelivered(noon)).toEqual(new Date(at));
      expect(
        await world.claims.markDelivered(claimed, tried(), noon, { leaseUntil: later, dueAt: noon }),
      ).toBeUndefined();
      expect(await measures.oldestUndelivered(noon)).toEqual(new Date('2026-11-21T11:59:10.000Z'));
      const both = await claimAgain();
      await world.claims.reschedule(both, { ...tried('unreachable'), nextAt: noon }, { tries: 1, failingSince: noon });
      expect(await measures.oldestUndelivered(noon)).toEqual(new Date('2026-11-21T11:59:10.000Z'));
      await come(3, '2026-11-21T11:59:20.000Z');
      const held = await world.claims.markDelivered(await claimAgain(), tried(), ...delivered);
      expect(await measures.oldestUndelivered(noon)).toEqual(new Date('2026-11-21T11:59:20.000Z'));
      await world.claims.giveUp(held as ClaimedDestination, 'exhausted', given);
      expect(await measures.oldestUndelivered(noon)).toBeUndefined();
    });

    it('exclude what waits for a version that is not served, until that is served again', async () => {
      const claimed = await world.claim('a', 'pending');
      await world.claims.defer(claimed, tried('postponed'), noon);
      expect(await measures.oldestUndelivered(noon)).toBeUndefined();
      await come(2, '2026-11-21T11:59:10.000Z');
      await world.claims.defer(await claimAgain(), tried('postponed'), noon);
      expect(await measures.oldestUndelivered(noon)).toBeUndefined();
      const failing = { tries: 1, failingSince: noon };
      await world.claims.reschedule(await claimAgain(), { ...tried('unreachable'), nextAt: noon }, failing);
      expect(await measures.oldestUndelivered(noon)).toEqual(new Date(at));
    });

    it('exclude replays from undelivered status changes, alone or beside a status change', async () => {
      const claimed = await world.claim('a', 'pending', 'in_progress');
      const second = (await world.claims.markDelivered(claimed, tried(), ...delivered)) as ClaimedDestination;
      await replay(1);
      await world.claims.markDelivered(second, tried(), noon, { leaseUntil: later, dueAt: later });
      expect(await measures.oldestUndelivered(noon)).toBeUndefined();
      await world.claims.release(await claimAgain(), noon);
      expect(await measures.oldestUndelivered(noon)).toBeUndefined();
      const again = await claimAgain();
      await come(3, at);
      await replay(2);
      expect(await measures.oldestUndelivered(noon)).toEqual(new Date(at));
      await world.claims.markDelivered(again, tried(), ...delivered);
      expect(await measures.oldestUndelivered(noon)).toEqual(new Date(at));
      await world.claims.markDelivered(await claimAgain(), tried(), ...delivered);
      expect(await measures.oldestUndelivered(noon)).toBeUndefined();
    });

    const come = (v: number, at: string) =>
      world.store.append(of, { v, callback: { v, status: 'in_progress', at }, now: noon, dueAt: () => noon });
    const replay = (version: number) =>
      world.store.replay(
        {
          type: 'ReplayCallback',
          id: `command-${version}`,
          ...of,
          at,
          destination: 'a',
          version,
          delivery: deliveryId({ _id: idOf('a') }, version),
        },
        noon,
      );
    const claimAgain = async () =>
      (await world.claims.claimDue(noon, { limit: 1, leaseMs: 60_000 }))[0] as ClaimedDestination;
  });
}
