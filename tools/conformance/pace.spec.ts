import { Pace } from './pace';

const at = (start: number) => {
  const clock = { ms: start };
  return { clock, now: () => clock.ms };
};

it('lets so many calls through in any minute', async () => {
  const { clock, now } = at(0);
  const pace = new Pace(2, now);
  await pace.turn();
  clock.ms = 10_000;
  await pace.turn();
  expect(pace.waitMs()).toBe(50_000);
  clock.ms = 60_000;
  expect(pace.waitMs()).toBeLessThanOrEqual(0);
});

it('lets none through while the processor wants a pause, the longest one', () => {
  const { clock, now } = at(0);
  const pace = new Pace(0, now);
  pace.pause(5_000);
  pace.pause(1_000);
  expect(pace.waitMs()).toBe(5_000);
  clock.ms = 5_000;
  expect(pace.waitMs()).toBeLessThanOrEqual(0);
});
