import { OneTimeLink } from './one-time-link';

it('signs in once, as admin, by its own token alone', () => {
  const link = new OneTimeLink('sandbox');
  const { token = '' } = link;
  expect([link.use(''), link.use(new OneTimeLink('sandbox').token ?? '')]).toEqual([undefined, undefined]);
  expect(link.use(token)).toEqual({ subject: 'sandbox', grants: [{ role: 'admin' }] });
  expect([link.use(token), link.token]).toEqual([undefined, undefined]);
});
