import { statuses } from '../testing/receiver';
import { eachInAWorld, LEASE_MS, SECOND, TRY_MS, type World } from '../testing/world';
import { DispatchWorker } from './dispatch.worker';

let world: World;
eachInAWorld((opened) => (world = opened));

type Store = World['store'];
const sent = () => statuses(world.receiver.heard);

/** A dispatcher whose store answers some verbs late: what happens meanwhile is up to a test. */
const dispatching = (late: (store: Store) => Partial<Pick<Store, 'claimDue' | 'renew'>>) =>
  new DispatchWorker({ ...world, store: Object.assign(Object.create(world.store) as Store, late(world.store)) });

/** It claims at once, and hears of it after so long. */
const claimingLate =
  (lateMs: number, meanwhile = (): Promise<void> => Promise.resolve()) =>
  (store: Store): Pick<Store, 'claimDue'> => ({
    claimDue: async (...args) => {
      const destinations = await store.claimDue(...args);
      if (destinations.length === 0) return destinations;
      world.clock.advance(lateMs);
      await meanwhile();
      return destinations;
    },
  });

/** It renews at once, and hears of it after so long. */
const renewingLate =
  (lateMs: number) =>
  (store: Store): Pick<Store, 'renew'> => ({
    renew: async (...args) => {
      const isHeld = await store.renew(...args);
      world.clock.advance(lateMs);
      return isHeld;
    },
  });

/** One look for what is due, and the claims that it begins. */
async function once(by: ReturnType<typeof dispatching>): Promise<void> {
  await by.runOnce();
  await by.idle();
}

beforeEach(async () => {
  await world.admit(['/dsr']);
  await world.begin();
  world.clock.advance(SECOND);
});

it('a claim answered after its lease sends nothing if another sender had the destination meanwhile', async () => {
  let sentByOther: unknown[] = [];
  const stalled = dispatching(
    claimingLate(LEASE_MS, async () => {
      await world.send();
      sentByOther = sent();
    }),
  );
  await once(stalled);
  expect(sentByOther).toEqual(['pending', 'in_progress']);
  expect(sent()).toEqual(sentByOther);
  expect(world.lines.join('')).toContain('its claim had expired');
});

it('a claim answered late is renewed before the attempt, so that no other sender claims it', async () => {
  const other = world.dispatcher();
  const takenByOther: number[] = [];
  world.receiver.answer = async () => {
    // As long as a try takes at most.
    world.clock.advance(TRY_MS - 1);
    takenByOther.push(await other.runOnce());
    return 202;
  };
  await once(dispatching(claimingLate(LEASE_MS - SECOND)));
  expect(takenByOther).toEqual([0, 0]);
  expect(sent()).toEqual(['pending', 'in_progress']);
});

it('a lease renewed too late for an attempt sends nothing, and the destination is due again', async () => {
  const stalled = dispatching((store) => ({
    ...claimingLate(LEASE_MS - SECOND)(store),
    ...renewingLate(LEASE_MS - TRY_MS + 1)(store),
  }));
  await once(stalled);
  expect(sent()).toEqual([]);
  expect(await world.destination()).not.toHaveProperty('tries');
  world.clock.advance(2 * SECOND);
  await world.send();
  expect(sent()).toEqual(['pending', 'in_progress']);
});

it('a lease that covers the wait and the attempt is not renewed', async () => {
  let renewed = 0;
  const counting = dispatching((store) => ({
    renew: (...args) => {
      renewed += 1;
      return store.renew(...args);
    },
  }));
  await once(counting);
  expect([sent(), renewed]).toEqual([['pending', 'in_progress'], 0]);
});
