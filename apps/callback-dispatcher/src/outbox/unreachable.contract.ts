import { ManualClock } from '@opendsr-service/service';
import type { TestDatabase } from '@opendsr-service/storage/testing';
import type { ClaimedDestination } from '../destinations/destination';
import { at, later, LONGEST_TRY_MS, noon, of, outboxWorld, tried } from '../testing/outbox-world';
import { DestinationOutbox } from './outbox.store';
import { RelayWorker } from './relay.worker';

/** An unreachable attempt is published at a time that reveals nothing, on every store. */
export function unreachableContract(name: string, database: TestDatabase): void {
  describe(`publication on ${name} of an unreachable attempt`, () => {
    const world = outboxWorld(database);
    const { worker, claim, destination, shown, clock } = world;
    const after = (ms: number) => new ManualClock(new Date(noon.getTime() + ms));
    const failed = async () => {
      await world.claims.reschedule(await claim('a', 'pending'), { ...tried('unreachable'), nextAt: later }, {});
    };
    const giveUp = async (at: Date) => {
      const [claimed] = await world.claims.claimDue(later, { limit: 1, leaseMs: 60_000 });
      await world.claims.giveUp(claimed as ClaimedDestination, 'exhausted', { at, dueAt: later });
    };

    it('an unreachable attempt is published when the longest one would have ended, later events after it', async () => {
      await failed();
      expect(await worker().runOnce()).toBe(1);
      expect((await destination('a'))?.outboxAt).toEqual(after(LONGEST_TRY_MS).now());
      await giveUp(noon);
      for (const ms of [1, 5_000, LONGEST_TRY_MS - 1]) await worker(world.publisher, after(ms)).runOnce();
      expect(world.heard).toEqual([]);
      expect(await worker(world.publisher, after(LONGEST_TRY_MS)).runOnce()).toBe(1);
      expect(shown()).toEqual([
        ['CallbackAttempted', 1],
        ['CallbackGivenUp', 1],
      ]);
      for (const field of ['outboxAt', 'outbox', 'outboxBy']) expect(await destination('a')).not.toHaveProperty(field);
    });

    it('a callback that is queued meanwhile is published at once', async () => {
      await failed();
      await world.store.append(of, {
        v: 2,
        callback: { v: 2, status: 'completed', at },
        now: noon,
        dueAt: () => later,
      });
      expect(shown()).toEqual([['CallbackQueued', 2]]);
    });

    it('earlier events are published at once, and only once', async () => {
      await world.claims.reschedule(await claim('a', 'pending'), { ...tried('rejected'), nextAt: noon }, {});
      const [claimed] = await world.claims.claimDue(noon, { limit: 1, leaseMs: 60_000 });
      await world.claims.reschedule(claimed as ClaimedDestination, { ...tried('unreachable', 2), nextAt: later }, {});
      const attempts = () => world.heard.map((event) => 'attempt' in event && event.attempt);
      await worker().runOnce();
      expect(attempts()).toEqual([1]);
      await worker(world.publisher, after(LONGEST_TRY_MS)).runOnce();
      expect(attempts()).toEqual([1, 2]);
    });

    it('an event that is added while others are held back is published', async () => {
      await failed();
      const outbox = new DestinationOutbox(world.destinations);
      const racing = Object.assign(Object.create(outbox) as DestinationOutbox, {
        markPublished: async (...published: Parameters<DestinationOutbox['markPublished']>) => {
          await giveUp(after(1).now());
          await outbox.markPublished(...published);
        },
      });
      await new RelayWorker(racing, world.publisher, clock, LONGEST_TRY_MS).runOnce();
      expect((await destination('a'))?.outboxAt).toEqual(after(1).now());
      await worker(world.publisher, after(LONGEST_TRY_MS)).runOnce();
      expect(shown()).toEqual([
        ['CallbackAttempted', 1],
        ['CallbackGivenUp', 1],
      ]);
    });

    it('other destinations do not wait', async () => {
      await failed();
      await world.leaveAttempts('b');
      await worker().runOnce();
      expect(world.heard).toMatchObject([{ type: 'CallbackAttempted', destination: 'b' }]);
    });
  });
}
