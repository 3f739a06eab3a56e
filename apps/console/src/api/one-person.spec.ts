import { QueryClient } from '@tanstack/react-query';
import { ofOnePerson } from './one-person';
import { Problem } from './problem';

const ann = { subject: 'ann' };
const refused = (status: number) => Promise.reject(new Problem({ status, detail: 'x' }));

it.each([
  ['stays while the session does', () => Promise.resolve(ann), true],
  ['is gone where another person has signed in', () => Promise.resolve({ subject: 'bob' }), false],
  ['is gone where the session has ended', () => refused(401), false],
  ['stays where the session cannot be read for now', () => refused(503), true],
])('what was read %s', async (_what, read, stays) => {
  const client = new QueryClient();
  client.setQueryData(['session'], ann);
  client.setQueryData(['settings'], {});
  client.setQueryData(['audit', {}], ['an entry']);
  await Promise.allSettled([ofOnePerson(client, ann, read())]);
  expect(client.getQueryData(['audit', {}])).toEqual(stays ? ['an entry'] : undefined);
  expect([client.getQueryData(['session']), client.getQueryData(['settings'])]).toEqual([ann, {}]);
  client.clear();
});

it('nothing is gone where nobody was known before', async () => {
  const client = new QueryClient();
  client.setQueryData(['sandbox'], {});
  expect(await ofOnePerson(client, undefined, Promise.resolve(ann))).toEqual(ann);
  expect(client.getQueryData(['sandbox'])).toEqual({});
  client.clear();
});
