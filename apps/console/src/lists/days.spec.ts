import { dayOf, endOf, startOf } from './days';

it.each(['2026-01-01', '2026-03-29', '2026-10-25', '2028-02-29', '0020-11-01', '0202-11-01'])(
  'brings %s back in every zone',
  (day) => {
    expect([dayOf(startOf(day)), dayOf(endOf(day))]).toEqual([day, day]);
    const [start = '', end = ''] = [startOf(day), endOf(day)];
    expect(new Date(end).getTime() - new Date(start).getTime()).toBeGreaterThan(22 * 3_600_000);
  },
);

it('has no day for what is none', () => {
  expect([dayOf(undefined), dayOf('yesterday')]).toEqual(['', '']);
  expect([startOf(''), endOf(''), startOf('2026-13')]).toEqual([undefined, undefined, undefined]);
});
