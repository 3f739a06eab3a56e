import { ageOf, filtersOfAge } from './list-parameters';

it.each(['24h', '7d', 'over 30d'])('brings the age %j back, and takes away what does not go with it', (age) => {
  const filters = filtersOfAge(age);
  const given = Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== undefined));
  expect([ageOf(given), Object.keys(given).length]).toEqual([age, 1]);
  expect(Object.keys(filters)).toEqual(expect.arrayContaining(['received_from', 'received_to']));
});

it('leaves the days alone where no age is chosen', () => {
  expect(filtersOfAge(undefined)).toEqual({ received_within: undefined, older_than: undefined });
  expect(ageOf({})).toBeUndefined();
});
