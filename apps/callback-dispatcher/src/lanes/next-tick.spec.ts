import { nextTick } from './next-tick';

const at = (time: string) => new Date(`2026-11-21T${time}Z`);

it('callbacks go out on the next multiple of the tick, or now where it is one', () => {
  const quarter = 15 * 60_000;
  expect(nextTick(at('12:00:00.001'), quarter)).toEqual(at('12:15:00.000'));
  expect(nextTick(at('12:14:59.999'), quarter)).toEqual(at('12:15:00.000'));
  expect(nextTick(at('12:15:00.000'), quarter)).toEqual(at('12:15:00.000'));
  expect(nextTick(at('12:15:00.400'), 1_000)).toEqual(at('12:15:01.000'));
});
