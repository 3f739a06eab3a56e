import { Chance } from './chance';

const numbers = (chance: Chance): number[] => Array.from({ length: 100 }, () => chance.int32());

it('gives the same again for the same seed, and other numbers for another', () => {
  expect(numbers(new Chance(7))).toEqual(numbers(new Chance(7)));
  expect(numbers(new Chance(7))).not.toEqual(numbers(new Chance(8)));
});

it('stays within its limits and reaches all of them', () => {
  const chance = new Chance(1);
  expect(new Set(Array.from({ length: 200 }, () => chance.between(3, 6)))).toEqual(new Set([3, 4, 5, 6]));
});

it('makes ids that are UUIDs of version 4', () => {
  expect(new Chance(1).uuid()).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});
