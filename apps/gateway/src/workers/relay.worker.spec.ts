import { World } from '../testing/world';

let world: World;
beforeEach(async () => {
  world = await World.open();
});
afterEach(() => world.close());
const brief = async (count: number) =>
  (await world.commands(count)).map(
    (command) => `${command.srid} ${'seq' in command ? command.seq : ''} ${command.type}`,
  );

it('publishes the whole outbox again, in order, as long as no event answers it', async () => {
  const { srid } = await world.admit();
  await world.store.cancel(world.ws, srid, world.clock.now());
  expect(await world.relay.runOnce()).toBe(0);
  world.clock.advance(world.resendMs);
  expect(await world.relay.runOnce()).toBe(1);
  expect(await world.relay.runOnce()).toBe(0);
  world.clock.advance(2 * world.resendMs);
  expect(await world.relay.runOnce()).toBe(1);
  expect(await brief(4)).toEqual([
    `${srid} 1 SubmitRequest`,
    `${srid} 2 CancelRequest`,
    `${srid} 1 SubmitRequest`,
    `${srid} 2 CancelRequest`,
  ]);
});

it('doubles the gap with each resend', async () => {
  const admitted = await world.admit();
  for (const gap of [2, 4, 8]) {
    const before = (await world.find(admitted)).outboxAt as Date;
    world.clock.advance(before.getTime() - world.clock.now().getTime());
    expect(await world.relay.runOnce()).toBe(1);
    const after = (await world.find(admitted)).outboxAt as Date;
    expect(after.getTime() - before.getTime()).toBe(gap * world.resendMs);
  }
});

it('reschedules nothing while the event log is away, and sends all commands once it is back', async () => {
  const admitted = await Promise.all(Array.from({ length: 5 }, () => world.admit()));
  world.publisher.away = true;
  world.clock.advance(world.resendMs);
  expect(await world.relay.runOnce()).toBe(0);
  expect((await Promise.all(admitted.map(world.find))).map(({ tries }) => tries)).toEqual([0, 0, 0, 0, 0]);
  world.publisher.away = false;
  expect(await world.relay.runOnce()).toBe(5);
});

it('starts requests while the event log is away: the command waits in the outbox', async () => {
  const admitted = await world.admit();
  world.publisher.slow = true;
  world.clock.advance(world.waitMs);
  expect(await world.start.runOnce()).toBe(1);
  expect(await world.find(admitted)).toMatchObject({ status: 'in_progress', outbox: [{ seq: 1 }, { seq: 2 }] });
  world.publisher.slow = false;
  world.clock.advance(world.resendMs);
  await world.relay.runOnce();
  expect(await brief(2)).toEqual([`${admitted.srid} 1 SubmitRequest`, `${admitted.srid} 2 StartRequest`]);
});
