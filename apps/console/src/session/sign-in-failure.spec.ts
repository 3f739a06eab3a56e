import { failureIn } from './sign-in-failure';

it.each([
  ['?sign_in=refused', 'refused'],
  ['?sign_in=away', 'away'],
  ['?sign_in=%3Cb%3E', undefined],
  ['?status=pending', undefined],
  ['', undefined],
])('reads %j as %j', (search, failure) => {
  expect(failureIn(search)).toBe(failure);
});
