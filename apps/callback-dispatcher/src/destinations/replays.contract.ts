import { messageId, type ReplayCallback, type RequestEvent } from '@opendsr-service/contracts';
import { missUntilWrite, type TestDatabase } from '@opendsr-service/storage/testing';
import {
  at,
  completed,
  fulfilled,
  ids,
  destinationWorld,
  life,
  MINUTE,
  minutes,
  received,
  reported,
  started,
  TICK,
  waiting,
} from '../testing/destination-world';
import type { ClaimedDestination } from './destination';
import { deliveryId } from './destination-events';

/**
 * What a controller asks to be sent once more (decision 7): on every store, once for each command, and without a
 * change of anything else.
 */
export function replaysContract(name: string, database: TestDatabase): void {
  describe(`a replay on ${name}`, () => {
    const world = destinationWorld(database);
    const { only, apply, deliver, drain } = world;
    const destinationId = `${ids.ws}:${ids.srid}|a`;
    const command = (version: number, more: Partial<ReplayCallback> = {}): ReplayCallback => ({
      ...{
        type: 'ReplayCallback',
        id: messageId('replay', version),
        ...ids,
        at,
        destination: 'a',
        version,
        delivery: deliveryId({ _id: destinationId }, version),
      },
      ...more,
    });
    const sent = async (...events: RequestEvent[]) => {
      await apply(...events);
      world.clock.advance(TICK);
      await drain();
      world.clock.advance(MINUTE);
    };

    it('of a delivered callback is due at once, with its original fields', async () => {
      await sent(...life);
      const shown = (await only()).past?.[1];
      expect(await world.projection.replay(command(2))).toBe('done');
      expect(await only()).toMatchObject({
        pending: [{ v: 2, status: 'in_progress', at: shown?.at, replay: command(2).id }],
        dueAt: world.clock.now(),
      });
    });

    it('is queued also if the first read after an election misses the destination', async () => {
      await sent(...life);
      missUntilWrite(world.collection);
      expect(await world.projection.replay(command(2))).toBe('done');
      expect(waiting(await only())).toEqual(['2 in_progress']);
    });

    it.each([
      [3, 'done', ['2 in_progress']],
      [1_000, undefined, []],
    ] as const)('is not skipped where runs end and begin between %d of its writes', async (writes, verdict, queued) => {
      await sent(...life);
      const { collection } = world;
      const write = collection.updateOne.bind(collection);
      const change = command(2);
      let n = 0;
      const claiming = jest.spyOn(collection, 'updateOne').mockImplementation(async (filter, update, options) => {
        // Claimed before each write that wants it free, and the other way round.
        const claim = n % 2 === 0 ? { $set: { token: 'run' } } : { $unset: { token: 1 as const } };
        if (n++ < writes) await write({ _id: destinationId, ws: ids.ws }, claim);
        return write(filter, update, options);
      });
      const replayed = await world.projection.replay(change).catch(() => undefined);
      claiming.mockRestore();
      expect([replayed, waiting(await only())]).toEqual([verdict, queued]);
    });

    it.each(['exhausted', 'gone'] as const)('of a callback given up as %s is due as well', async (reason) => {
      await apply(received(['a']));
      world.clock.advance(TICK);
      if (reason === 'gone') await world.claims.settleGone(await world.claim(), world.tried('gone'), world.clock.now());
      else await world.claims.giveUp(await world.claim(), reason, { at: world.clock.now(), dueAt: minutes(60) });
      expect(await world.projection.replay(command(1))).toBe('done');
      expect(waiting(await only())).toEqual(['1 pending']);
      expect(await deliver(await world.claim())).toBeUndefined();
      expect((await only()).past).toHaveLength(1);
      expect(await only()).not.toHaveProperty('dueAt');
    });

    it('is queued last and removes only itself', async () => {
      await sent(received(['a']), started);
      await apply(reported, fulfilled, completed);
      expect(await world.projection.replay(command(1))).toBe('done');
      expect([waiting(await only()), (await only()).dueAt]).toEqual([['5 completed', '1 pending'], world.clock.now()]);
      await world.projection.replay(command(2));
      const left = await deliver(await world.claim());
      expect(waiting(await only())).toEqual(['1 pending', '2 in_progress']);
      await deliver(left as ClaimedDestination);
      expect(waiting(await only())).toEqual(['2 in_progress']);
    });

    it('that comes during a delivery run is sent as soon as the run has ended', async () => {
      await sent(received(['a']));
      await apply(started);
      world.clock.advance(TICK);
      const claimed = await world.claim();
      expect(await world.projection.replay(command(1))).toBe('done');
      expect((await only()).dueAt).toEqual(claimed.dueAt);
      await deliver(claimed, minutes(500));
      expect([waiting(await only()), (await only()).dueAt]).toEqual([['1 pending'], world.clock.now()]);
    });

    it.each([0, 1])('leaves the age of a callback that comes while it is sent, and of %i more', async (more) => {
      await sent(received(['a']));
      await world.projection.replay(command(1));
      const claimed = await world.claim();
      await apply(started);
      const { collection } = world;
      const read = collection.findOne.bind(collection);
      const reading = jest.spyOn(collection, 'findOne').mockImplementation(async (filter, options) => {
        const found = await read(filter, options);
        reading.mockRestore();
        await apply(...[reported, fulfilled, completed].slice(0, 3 * more));
        return found;
      });
      await deliver(claimed, minutes(500));
      expect(waiting(await only())).toEqual(['2 in_progress', '5 completed'].slice(0, 1 + more));
      expect(await only()).toMatchObject({ undeliveredSince: new Date(at), dueAt: minutes(500) });
      expect(await only()).not.toHaveProperty('token');
    });

    it('hides no callback that comes during a run of replays: it counts as undelivered from its time on', async () => {
      const since = async () => (await only()).undeliveredSince;
      const replaying = async (...commands: ReplayCallback[]) => {
        for (const one of commands) await world.projection.replay(one);
        return world.claim();
      };
      const notNow = () => ({ ...world.tried('unreachable'), nextAt: minutes(600) });
      await sent(received(['a']));
      const failed = await replaying(command(1));
      await apply(started);
      expect(await world.claims.reschedule(failed, notNow(), {})).toBe(true);
      expect([waiting(await only()), await since()]).toEqual([['1 pending', '2 in_progress'], new Date(at)]);
      world.clock.advance(600 * MINUTE);
      await drain();
      expect(await since()).toBeUndefined();

      const two = await replaying(command(1, { id: messageId('again') }), command(2));
      await apply(reported, fulfilled, completed);
      const one = await deliver(two);
      expect([waiting(await only()), await since()]).toEqual([['2 in_progress', '5 completed'], new Date(at)]);
      expect(await world.claims.release(one as ClaimedDestination, world.clock.now())).toBe(true);
      expect(await since()).toEqual(new Date(at));
      await drain();
      expect(await since()).toBeUndefined();
    });

    it('is queued once, also if its command is repeated or another one follows', async () => {
      await sent(...life);
      expect(
        await Promise.all(
          [command(2), command(2), command(2, { id: messageId('another') })].map((one) => world.projection.replay(one)),
        ),
      ).toContain('skip');
      expect(waiting(await only())).toEqual(['2 in_progress']);
      await drain();
      expect(
        await world.projection.replay(
          (await only()).replayed?.[0] === command(2).id ? command(2) : command(2, { id: messageId('another') }),
        ),
      ).toBe('skip');
      expect(waiting(await only())).toEqual([]);
    });

    it('is remembered by the id of its command, as one of the last 50', async () => {
      await sent(...life);
      const commands = Array.from({ length: 51 }, (_, n) => command(2, { id: messageId('one of many', n) }));
      for (const one of commands) {
        expect(await world.projection.replay(one)).toBe('done');
        await drain();
      }
      expect((await only()).replayed).toEqual(commands.slice(1).map(({ id }) => id));
      const again = [commands[50]!, commands[1]!, commands[0]!];
      const verdicts: unknown[] = [];
      for (const one of again) verdicts.push(await world.projection.replay(one));
      expect(verdicts).toEqual(['skip', 'skip', 'done']);
    });

    it('of a pending or unknown callback has no effect', async () => {
      await apply(received(['a']));
      const before = await only();
      for (const one of [
        command(1),
        command(2),
        command(1, { srid: messageId('unknown') }),
        command(1, { destination: 'b' }),
        command(1, { delivery: messageId('other') }),
      ])
        expect(await world.projection.replay(one)).toBe('skip');
      expect(await only()).toEqual(before);
    });

    it('does not change a settled destination, even if the receiver is now gone', async () => {
      await sent(...life);
      await world.projection.replay(command(5));
      await world.claims.settleGone(await world.claim(), world.tried('gone'), world.clock.now());
      const { outcome, outbox } = await only();
      expect([outcome, outbox?.filter(({ type }) => type === 'DestinationSettled').length]).toEqual(['delivered', 1]);
    });
  });
}
