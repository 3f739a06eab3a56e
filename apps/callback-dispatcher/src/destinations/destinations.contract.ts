import type { CallbackBody } from '@opendsr-service/contracts';
import { missUntilWrite, type TestDatabase } from '@opendsr-service/storage/testing';
import {
  at,
  cancelled,
  completed,
  event,
  extended,
  fulfilled,
  ids,
  destinationWorld,
  life,
  MINUTE,
  minutes,
  received,
  reported,
  sealed,
  started,
  TICK,
  waiting,
  work,
} from '../testing/destination-world';
import { callbackBody } from '../dispatch/callback-body';
import type { ClaimedDestination, Destination } from './destination';
import { deliveryId } from './destination-events';

/**
 * The rules of decision 7 that hold for every store: events come in order onto destinations, senders take claims,
 * neither loses what the other does.
 */
export function destinationsContract(name: string, database: TestDatabase): void {
  describe(`destinations on ${name}`, () => {
    const world = destinationWorld(database);
    const { destinations, only, apply, deliver, drain } = world;

    it('tells the dispatcher when callbacks are due that were queued on a destination without any', async () => {
      await apply(received([]), started);
      expect(world.signalled).toEqual([]);
      await apply(received(['a'], { ...ids, srid: '00000000-0000-4000-8000-000000000001' }));
      expect(world.signalled).toEqual([14 * MINUTE]);
    });

    it('loses no callback of a request that the first read after an election misses', async () => {
      await apply(received(['a']));
      missUntilWrite(world.collection);
      expect(await apply(cancelled)).toEqual(['done']);
      expect(waiting(await only())).toEqual(['1 pending', '2 cancelled']);
    });

    it('loses no callback of a destination that the first read after an election misses beside another', async () => {
      await apply(received(['a', 'b']));
      missUntilWrite(world.collection, { destination: 'b' });
      expect(await apply(cancelled)).toEqual(['done']);
      expect((await destinations()).map(waiting)).toEqual([
        ['1 pending', '2 cancelled'],
        ['1 pending', '2 cancelled'],
      ]);
    });

    describe('RequestReceived', () => {
      it('opens a destination for each URL, due on the next tick, with all that later callbacks need', async () => {
        expect(await apply(received(['a', 'b']))).toEqual(['done']);
        const facts = {
          ...ids,
          v: 1,
          pending: [{ v: 1, status: 'pending', at }],
          dueAt: minutes(15),
          undeliveredSince: new Date(at),
          controllerId: '1402',
          apiVersion: '2.0',
          type: 'access',
          expectedAt: '2026-11-23T12:15:00.000Z',
          kid: 'kid-1',
          url: sealed,
        };
        const stored = await destinations();
        expect(stored).toEqual([
          { ...facts, _id: `${ids.ws}:${ids.srid}|a`, destination: 'a', destinationCount: 2 },
          { ...facts, _id: `${ids.ws}:${ids.srid}|b`, destination: 'b', destinationCount: 2 },
        ]);
        expect(world.published).toMatchObject(
          stored.map((destination) => ({
            type: 'CallbackQueued',
            delivery: deliveryId(destination, 1),
            status: 'pending',
            at,
            dueAt: minutes(15).toISOString(),
            replay: false,
          })),
        );
      });

      it('publishes a CallbackQueued before it queues the callback, and again after a crash between the two', async () => {
        const queued = () => world.published.map((event) => 'version' in event && event.version);
        world.dieAfterPublishing(1);
        await expect(apply(received(['a']))).rejects.toThrow('died');
        expect([queued(), await destinations()]).toEqual([[1], []]);
        await apply(received(['a']));
        world.dieAfterPublishing(2);
        await expect(apply(started)).rejects.toThrow('died');
        expect([queued(), waiting(await only())]).toEqual([[1, 1, 2], ['1 pending']]);
        await apply(started);
        expect([queued(), waiting(await only())]).toEqual([
          [1, 1, 2, 2],
          ['1 pending', '2 in_progress'],
        ]);
        expect(new Set(world.published.map(({ id }) => id)).size).toBe(2);
        await apply(received(['a']), started);
        expect(queued()).toHaveLength(4);
        expect(await only()).not.toHaveProperty('outbox');
      });

      it('publishes nothing of an event whose predecessor is missing', async () => {
        await apply(received(['a']));
        expect(await apply(completed)).toEqual([{ park: 'version-gap' }]);
        expect(world.published).toHaveLength(1);
      });

      it('without URLs opens no destination, and later events are skipped', async () => {
        expect(await apply(received([]), started, reported, fulfilled, completed)).toEqual([
          'done',
          'skip',
          'skip',
          'skip',
          'skip',
        ]);
        expect(await destinations()).toEqual([]);
      });

      it('that is repeated adds the destinations that a crash left out, and leaves the others unchanged', async () => {
        await apply(received(['a']), started);
        await apply(received(['a', 'b']));
        expect(
          (await destinations()).map((destination) => [destination.destination, destination.v, waiting(destination)]),
        ).toEqual([
          ['a', 2, ['1 pending', '2 in_progress']],
          ['b', 1, ['1 pending']],
        ]);
        expect(await apply(started)).toEqual(['done']);
        expect((await destinations()).map((destination) => [destination.v, waiting(destination)])).toEqual([
          [2, ['1 pending', '2 in_progress']],
          [2, ['1 pending', '2 in_progress']],
        ]);
      });
    });

    describe('an event that changes the status', () => {
      it.each([
        ['RequestStarted', started, '2 in_progress'],
        ['RequestCancelled', cancelled, '2 cancelled'],
      ])('%s is added behind the waiting callback, and keeps the due time', async (_type, change, added) => {
        await apply(received(['a']));
        world.clock.advance(30 * MINUTE);
        await apply(change);
        const destination = await only();
        expect([waiting(destination), destination.v, destination.dueAt]).toEqual([
          ['1 pending', added],
          2,
          minutes(15),
        ]);
        expect(destination.pending[1]?.at).toBe(at);
      });

      it('is applied and logged even if another event of its bulk write does not apply', async () => {
        const others = Array.from({ length: 5 }, (_, n) => ({
          ...ids,
          srid: `00000000-0000-4000-8000-00000000000${n}`,
        }));
        await Promise.all([ids, ...others].map((of) => apply(received(['a'], of))));
        world.logged.length = 0;
        const bulk = jest.spyOn(world.collection, 'bulkWrite');
        const startedOf = (of: typeof ids) => event(2, { type: 'RequestStarted', participants: ['results'], work }, of);
        // The second RequestStarted of one request finds it applied.
        const events = [started, started, ...others.map(startedOf)];
        expect(await world.applyTogether(...events)).toEqual(events.map(() => 'done'));
        expect(bulk).toHaveBeenCalled();
        bulk.mockRestore();
        for (const destination of await destinations())
          expect([waiting(destination), destination.dueAt]).toEqual([['1 pending', '2 in_progress'], minutes(15)]);
        const srids = world.logged.map((facts) => (facts as typeof ids).srid);
        expect(new Set(srids)).toEqual(new Set([ids, ...others].map(({ srid }) => srid)));
      });

      it('DeadlineExtended adds no callback; only later callbacks have the new date', async () => {
        await apply(received(['a']), started, extended, event(4, { type: 'RequestCompleted' }));
        const destination = await only();
        const links = { url: 'https://controller.example', resultsUrl: null };
        const bodies = destination.pending.map((callback) => callbackBody(destination, callback, links).toString());
        const dates = bodies.map((body) => (JSON.parse(body) as CallbackBody).expected_completion_time);
        expect(dates).toEqual([destination.expectedAt, destination.expectedAt, '2027-02-22T22:59:59.999Z']);
      });

      it('RequestCompleted is added also after events that change no status', async () => {
        await apply(...life);
        expect([waiting(await only()), (await only()).v]).toEqual([['1 pending', '2 in_progress', '5 completed'], 5]);
      });

      it('includes the state of outside participants at that moment, and nothing without participants', async () => {
        const standing = (status: 'pending' | 'sent') => [
          { domain: 'crm.example', name: 'crm', status, statusMessage: null },
        ];
        const begun = event(2, {
          type: 'RequestStarted',
          participants: ['crm'],
          work,
          extensions: standing('pending'),
        });
        await apply(
          received(['a']),
          begun,
          reported,
          fulfilled,
          event(5, { type: 'RequestCompleted', extensions: standing('sent') }),
        );
        expect((await only()).pending.map(({ extensions }) => extensions)).toEqual([
          undefined,
          standing('pending'),
          standing('sent'),
        ]);
      });

      it('sets the due time of an empty destination to the next tick', async () => {
        await apply(received(['a']));
        world.clock.advance(20 * MINUTE);
        await drain();
        expect(await only()).not.toHaveProperty('dueAt');
        await apply(started);
        expect((await only()).dueAt).toEqual(minutes(30));
      });

      it('goes to every destination of its request and to no other', async () => {
        const others = [
          { ...ids, srid: '475974fa-6b42-4370-bb56-b5d845686bb6' },
          { ...ids, ws: `${ids.ws}2` },
          { ...ids, ws: ids.ws.slice(0, -1) },
        ];
        await apply(received(['a', 'b']), ...others.map((of) => received(['a'], of)), started);
        expect(
          (await destinations())
            .filter(({ v }) => v === 2)
            .map(({ ws, srid, destination }) => `${ws} ${srid} ${destination}`),
        ).toEqual([`${ids.ws} ${ids.srid} a`, `${ids.ws} ${ids.srid} b`]);
      });
    });

    it.each([
      ['ParticipantReported', reported],
      ['RequestFulfilled', fulfilled],
      ['a type that a later version added', { ...reported, type: 'SomethingNew' } as unknown as typeof reported],
    ])('%s only advances the version', async (_type, change) => {
      await apply(...life.slice(0, change.version - 1));
      const before = await only();
      await apply(change);
      expect(await only()).toEqual({ ...before, v: change.version });
    });

    describe('a repeated event', () => {
      it('of any type changes nothing', async () => {
        await apply(...life);
        const before = await destinations();
        expect(await apply(...life, ...life)).toEqual(Array(10).fill('done'));
        expect(await destinations()).toEqual(before);
      });

      it('changes nothing on a destination that has sent all its callbacks, so nothing is sent twice', async () => {
        await apply(...life);
        world.clock.advance(TICK);
        await drain();
        const before = await destinations();
        expect(waiting(before[0] as Destination)).toEqual([]);
        await apply(...life);
        expect(await destinations()).toEqual(before);
        expect(await world.claims.claimDue(minutes(1_000), { limit: 10, leaseMs: MINUTE })).toEqual([]);
      });
    });

    it('an event whose predecessor is missing is parked, and changes nothing', async () => {
      await apply(received(['a']));
      expect(await apply(reported, fulfilled, completed)).toEqual(Array(3).fill({ park: 'version-gap' }));
      expect([waiting(await only()), (await only()).v]).toEqual([['1 pending'], 1]);
    });

    describe('the destinations of a host', () => {
      const ofHost = (host: string) => ({
        _id: `${ids.ws}:${host}|a`,
        ...ids,
        destination: 'a',
        v: 1,
        pending: [{ v: 1, status: 'pending', at }],
        host,
        dueAt: minutes(15),
      });
      const open = async (...hosts: string[]) => {
        await world.insert(hosts.map((host, n) => ({ ...ofHost(host), _id: `${ids.ws}:${n}|a` })));
      };
      const claim = (more: object) => world.claims.claimDue(minutes(15), { limit: 10, leaseMs: MINUTE, ...more });

      it('are excluded from a claim by host, or chosen from the found ones', async () => {
        await open('full', 'full', 'open', 'open', 'other');
        expect(
          (await claim({ exceptHosts: ['full', 'other'], choose: (found: readonly object[]) => found.slice(1) })).map(
            ({ host }) => host,
          ),
        ).toEqual(['open']);
        expect((await claim({ exceptHosts: ['full'] })).map(({ host }) => host).sort()).toEqual(['open', 'other']);
      });

      it('that were postponed are due at once when it is reached, and no others', async () => {
        await open('down', 'down', 'down', 'else');
        const [first, second, third, fourth] = (await claim({})) as [
          ClaimedDestination,
          ClaimedDestination,
          ClaimedDestination,
          ClaimedDestination,
        ];
        const later = (outcome: 'postponed' | 'rejected') => ({ ...world.tried(outcome), nextAt: minutes(600) });
        await world.claims.reschedule(first, later('postponed'), { postponed: true });
        await world.claims.reschedule(second, later('rejected'), {});
        await world.claims.reschedule(third, { ...later('postponed'), nextAt: minutes(20) }, { postponed: true });
        await world.claims.reschedule(fourth, later('postponed'), { postponed: true });
        await world.claims.bringForward({ ws: 'another' }, 'down', minutes(30));
        await world.claims.bringForward(ids, 'down', minutes(30));
        expect((await destinations()).map(({ dueAt, postponed }) => [dueAt, postponed])).toEqual([
          [minutes(30), undefined],
          [minutes(600), undefined],
          [minutes(20), true],
          [minutes(600), true],
        ]);
      });
    });

    describe('a destination that is being sent', () => {
      const claim = async () => {
        world.clock.advance(TICK);
        const [destination] = await world.claims.claimDue(world.clock.now(), { limit: 10, leaseMs: 2 * MINUTE });
        return destination as ClaimedDestination;
      };

      it('is claimed by one sender until its lease is over', async () => {
        await apply(received(['a']));
        const claims = await Promise.all([
          world.claims.claimDue(minutes(15), { limit: 10, leaseMs: MINUTE }),
          world.claims.claimDue(minutes(15), { limit: 10, leaseMs: MINUTE }),
        ]);
        expect(claims.flat()).toHaveLength(1);
        expect(await world.claims.claimDue(minutes(15.9), { limit: 10, leaseMs: MINUTE })).toEqual([]);
        expect(await world.claims.claimDue(minutes(16), { limit: 10, leaseMs: MINUTE })).toHaveLength(1);
      });

      it('accepts added callbacks, keeps its lease, and is due again after the run', async () => {
        await apply(received(['a']));
        const destination = await claim();
        await apply(started);
        expect((await only()).dueAt).toEqual(destination.dueAt);
        await deliver(destination, minutes(30));
        expect([waiting(await only()), (await only()).dueAt]).toEqual([['2 in_progress'], minutes(30)]);
        expect(await only()).not.toHaveProperty('token');
      });

      it('is held longer by a sender that renews its lease, even after its end if no other claimed it', async () => {
        await apply(received(['a']));
        const destination = await claim();
        world.clock.advance(3 * MINUTE);
        expect(await world.claims.renew(destination, minutes(30))).toBe(true);
        expect(await world.claims.claimDue(minutes(29), { limit: 10, leaseMs: MINUTE })).toEqual([]);
        expect(await world.claims.claimDue(minutes(30), { limit: 10, leaseMs: MINUTE })).toHaveLength(1);
      });

      it('is idle after its last callback', async () => {
        await apply(received(['a']));
        await deliver(await claim());
        const destination = await only();
        expect(destination.pending).toEqual([]);
        for (const field of ['dueAt', 'token', 'tries', 'failingSince']) expect(destination).not.toHaveProperty(field);
      });

      it('cannot be finished by a sender whose lease was taken over', async () => {
        await apply(received(['a']), started);
        const late = await claim();
        world.clock.advance(3 * MINUTE);
        const [current] = await world.claims.claimDue(world.clock.now(), { limit: 10, leaseMs: 2 * MINUTE });
        const before = await only();
        expect(await deliver(late)).toBeUndefined();
        expect(await world.claims.reschedule(late, { ...world.tried('rejected'), nextAt: minutes(60) }, {})).toBe(
          false,
        );
        expect(await world.claims.release(late, minutes(60))).toBe(false);
        expect(await world.claims.renew(late, minutes(60))).toBe(false);
        expect(await world.claims.giveUp(late, 'exhausted', { at: world.clock.now(), dueAt: minutes(60) })).toBe(false);
        expect(await world.claims.settleGone(late, world.tried('gone'), world.clock.now())).toBe(0);
        expect(await only()).toEqual(before);
        expect(await deliver(current as ClaimedDestination)).toMatchObject({ pending: [{ v: 2 }] });
      });

      it('records given-up callbacks and continues with later ones', async () => {
        await apply(received(['a']), started);
        const destination = await claim();
        await apply(reported, fulfilled, completed);
        expect(
          await world.claims.giveUp(destination, 'exhausted', {
            at: world.clock.now(),
            dueAt: minutes(30),
            tried: world.tried('rejected'),
          }),
        ).toBe(true);
        const after = await only();
        expect([waiting(after), after.dueAt]).toEqual([['5 completed'], minutes(30)]);
        expect(after.past?.map(({ v, reason, endedAt }) => [v, reason, endedAt])).toEqual([
          [1, 'exhausted', world.clock.now()],
          [2, 'exhausted', world.clock.now()],
        ]);
      });

      it('gets no callbacks once its receiver is gone, but follows the versions', async () => {
        await apply(received(['a']));
        const destination = await claim();
        await apply(started);
        expect(await world.claims.settleGone(destination, world.tried('gone'), world.clock.now())).toBe(2);
        expect(await apply(reported, fulfilled, completed, completed)).toEqual(['done', 'done', 'done', 'done']);
        const after = await only();
        expect([after.pending, after.v, after.goneAt]).toEqual([[], 5, world.clock.now()]);
        expect(after.past?.map(({ v, reason }) => [v, reason])).toEqual([
          [1, 'gone'],
          [2, 'gone'],
          [5, 'gone'],
        ]);
        expect(after).not.toHaveProperty('dueAt');
      });

      it('loses no callback if senders finish and events come at the same moment', async () => {
        await apply(received(['a']));
        for (const one of life.slice(1)) {
          world.clock.advance(TICK);
          const claimed = await world.claims.claimDue(world.clock.now(), { limit: 10, leaseMs: MINUTE });
          await Promise.all([...claimed.map((destination) => deliver(destination, world.clock.now())), apply(one)]);
        }
        const sent = 3 - (await only()).pending.length;
        expect([waiting(await only()), (await only()).v]).toEqual([
          ['1 pending', '2 in_progress', '5 completed'].slice(sent),
          5,
        ]);
        expect('dueAt' in (await only())).toBe(sent < 3);
      });
    });
  });
}
