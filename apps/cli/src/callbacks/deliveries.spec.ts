import { Deliveries } from './deliveries';

const at = new Date(0);

it('a delivery is known by its id until ten thousand others came after it', () => {
  const deliveries = new Deliveries();
  deliveries.remember('first', { at, answered: 502 });
  deliveries.remember(undefined, { at, answered: 202 });
  expect(deliveries.earlier('first')).toEqual({ at, answered: 502 });
  expect(deliveries.earlier(undefined)).toBeUndefined();
  for (let i = 0; i < 9_999; i++) deliveries.remember(`other ${i}`, { at, answered: 202 });
  deliveries.remember('first', { at, answered: 202 });
  deliveries.remember('one more', { at, answered: 202 });
  expect([
    deliveries.earlier('first')?.answered,
    deliveries.earlier('other 0'),
    deliveries.earlier('other 1')?.answered,
  ]).toEqual([202, undefined, 202]);
});
