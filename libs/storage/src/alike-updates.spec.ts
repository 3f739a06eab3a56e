import { alikeUpdates } from './alike-updates';

const of = (n: number, v = 1, at = 0) => ({
  filter: { _id: `${n}`, ws: `ws-${n % 2}`, v },
  update: { $set: { at: new Date(at) } },
});

it('joins updates with the same conditions and changes, and no others', () => {
  const same = { v: 1, _id: { $in: ['1', '2', '3'] }, ws: { $in: ['ws-1', 'ws-0'] } };
  expect(alikeUpdates([of(1), of(2), of(4, 2), of(5, 1, 1), of(3)])).toEqual([
    { updateMany: { filter: same, update: { $set: { at: new Date(0) } } } },
    { updateMany: { filter: { v: 2, _id: { $in: ['4'] }, ws: { $in: ['ws-0'] } }, update: of(4).update } },
    { updateMany: { filter: { v: 1, _id: { $in: ['5'] }, ws: { $in: ['ws-1'] } }, update: of(5, 1, 1).update } },
  ]);
});

it('names no more documents in one of them than the embedded store seeks', () => {
  const ids = alikeUpdates(Array.from({ length: 450 }, (_, n) => of(n))).map(
    ({ updateMany }) => (updateMany.filter as { _id: { $in: string[] } })._id.$in,
  );
  expect(ids.map(({ length }) => length)).toEqual([200, 200, 50]);
  expect(new Set(ids.flat()).size).toBe(450);
});
