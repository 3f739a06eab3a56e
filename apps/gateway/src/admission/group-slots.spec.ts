import { freeSlot, GROUP_SIZE } from './group-slots';

const all = [...Array(GROUP_SIZE).keys()];

it('gives one of the 64 lowest free places', () => {
  expect(freeSlot(new Set(), 0)).toBe(0);
  expect(freeSlot(new Set(), 0.999)).toBe(63);
  expect(freeSlot(new Set([0, 1, 2]), 0)).toBe(3);
});

it('finds the last free place, and none in a full group', () => {
  expect(freeSlot(new Set(all.filter((slot) => slot !== 77)), 0.5)).toBe(77);
  expect(freeSlot(new Set(all), 0.5)).toBeUndefined();
});
