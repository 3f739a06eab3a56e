import { EndedHere } from './ended-here';
import type { RequestDocument } from './request.document';

const MEBIBYTE = 1_048_576;

/** An ended request with so much that is sealed. */
const ended = (_id: string, bytes: number) =>
  ({ _id, sealed: { identities: 'x'.repeat(bytes), callbacks: [] } }) as unknown as RequestDocument;

it('holds 32 MiB of sealed data at most, and takes more once some of it is taken away', () => {
  const here = new EndedHere();
  const holds = (_id: string) => here.find(_id) !== undefined;
  for (const _id of ['a', 'b', 'c', 'd', 'a']) here.add(ended(_id, 8 * MEBIBYTE));
  here.attested('b');
  expect(['a', 'b', 'c', 'd'].map(holds)).toEqual([true, true, true, true]);
  here.add(ended('one more', 1));
  expect(holds('one more')).toBe(false);
  expect(here.takeFirst(2).map(({ document, isAttested }) => [document._id, isAttested])).toEqual([
    ['a', false],
    ['b', true],
  ]);
  here.add(ended('e', 16 * MEBIBYTE));
  here.add(ended('one more', 1));
  expect(['e', 'one more'].map(holds)).toEqual([true, false]);
});

it('holds ten thousand requests at most', () => {
  const here = new EndedHere();
  for (let n = 0; n < 10_001; n += 1) here.add(ended(String(n), 1));
  expect(here.takeFirst(20_000)).toHaveLength(10_000);
});
