import { fractionOf, nextTick, sendAt, spreadOf } from './tick';

const at = (time: string) => new Date(`2026-11-21T${time}Z`);

it('callbacks are sent on the next multiple of the tick, or now if now is one', () => {
  const quarter = 15 * 60_000;
  expect(nextTick(at('12:00:00.001'), quarter)).toEqual(at('12:15:00.000'));
  expect(nextTick(at('12:14:59.999'), quarter)).toEqual(at('12:15:00.000'));
  expect(nextTick(at('12:15:00.000'), quarter)).toEqual(at('12:15:00.000'));
  expect(nextTick(at('12:15:00.400'), 1_000)).toEqual(at('12:15:01.000'));
});

it('destinations are spread over the beginning of the tick, each by a stable offset', () => {
  const destinations = Array.from({ length: 1_000 }, (_, n) => `acme:${n}|destination`);
  const spread = destinations.map((destination) => spreadOf(destination, 60_000));
  expect(spread).toEqual(destinations.map((destination) => spreadOf(destination, 60_000)));
  expect(Math.min(...spread)).toBeGreaterThanOrEqual(0);
  expect(Math.max(...spread)).toBeLessThan(60_000);
  const perSecond = Map.groupBy(spread, (ms) => Math.floor(ms / 1_000));
  expect(perSecond.size).toBe(60);
  for (const here of perSecond.values()) expect(here.length).toBeLessThan(50);
  expect(sendAt('acme:7|destination', at('12:00:00.001'), { tickMs: 900_000, spreadMs: 60_000 })).toEqual(
    new Date(at('12:15:00.000').getTime() + spreadOf('acme:7|destination', 60_000)),
  );
  expect(spreadOf('acme:7|destination', 0)).toBe(0);
});

it('the pseudo-random number is stable for the same parts', () => {
  expect(fractionOf('destination', 3)).toBe(fractionOf('destination', 3));
  expect(fractionOf('destination', 3)).not.toBe(fractionOf('destination', 4));
});
