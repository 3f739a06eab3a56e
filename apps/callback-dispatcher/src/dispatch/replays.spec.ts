import type { Destination } from '../destinations/destination';
import { statuses, type Heard } from '../testing/receiver';
import { DAY, eachInAWorld, WS, type World } from '../testing/world';

let world: World;
eachInAWorld((opened) => {
  world = opened;
});

it('a dispatcher may rest until a destination is due', async () => {
  expect(await world.worker.dueInMs()).toBeUndefined();
  await world.admit(['/dsr']);
  await world.connection
    .collection<Destination>('destinations')
    .updateOne({}, { $set: { dueAt: new Date(world.clock.now().getTime() + 30) } });
  expect(await world.worker.dueInMs()).toBe(30);
});

describe('a replay', () => {
  const headersOf = ({ headers }: Heard) => [
    headers['x-delivery-id'],
    headers['content-type'],
    headers['x-opendsr-processor-domain'],
  ];

  it('sends the same bytes under the same id at once, and nothing else of its destination', async () => {
    await world.admit(['/dsr']);
    await world.begin({ extensions: [{ domain: 'crm.example', name: 'crm', status: 'pending', statusMessage: null }] });
    await world.complete();
    await world.pass();
    for (const v of [2, 4]) await world.replay(v);
    await world.send();
    expect(statuses(world.receiver.heard)).toEqual(['pending', 'in_progress', 'completed', 'in_progress', 'completed']);
    for (const [first, again] of [
      [1, 3],
      [2, 4],
    ] as const) {
      const [before, after] = [world.receiver.heard[first] as Heard, world.receiver.heard[again] as Heard];
      expect(after.body.equals(before.body)).toBe(true);
      expect(headersOf(after)).toEqual(headersOf(before));
    }
    expect(await world.destination()).toMatchObject({
      pending: [],
      attempts: { 1: 1, 2: 2, 4: 2 },
      outcome: 'delivered',
    });
  });

  it('of a destination whose receiver is gone sends only the replayed callback', async () => {
    world.receiver.answer = () => (world.receiver.heard.length === 1 ? 410 : 202);
    await world.admit(['/dsr']);
    await world.pass();
    await world.begin();
    await world.replay(2);
    await world.pass(3);
    expect(statuses(world.receiver.heard)).toEqual(['pending', 'in_progress']);
    expect((await world.destination()).goneAt).toBeDefined();
  });

  it('of an exhausted callback is retried by the whole schedule', async () => {
    world.receiver.answer = () => 500;
    await world.admit(['/dsr']);
    await world.pass();
    world.clock.advance(7 * DAY);
    await world.pass();
    world.receiver.heard = [];
    await world.replay(1);
    await world.pass(2);
    expect(world.receiver.heard).toHaveLength(2);
    world.receiver.answer = () => 202;
    await world.pass(2);
    expect(await world.destination()).toMatchObject({ pending: [], attempts: { 1: 5 } });
  });

  it('whose key is destroyed meanwhile is given up without sending', async () => {
    const kid = await world.admit(['/dsr']);
    await world.pass();
    await world.keys.vault.destroy(WS, kid, 'request');
    await world.replay(1);
    await world.send();
    expect(world.receiver.heard).toHaveLength(1);
    expect((await world.destination()).outbox?.at(-1)).toMatchObject({
      type: 'CallbackGivenUp',
      reason: 'key-destroyed',
    });
    expect((await world.destination()).pending).toEqual([]);
    expect(world.metric('opendsr_callback_attempts_total')).toMatchObject({ delivered: 1, postponed: 0 });
  });
});
