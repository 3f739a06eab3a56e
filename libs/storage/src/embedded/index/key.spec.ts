import { Binary, ObjectId } from '../bson';
import { compare } from '../values';
import { after, keyOf } from './key';

const values: unknown[] = [
  null,
  -Infinity,
  -(2 ** 60),
  -(2 ** 53),
  -1.5,
  -1,
  -0.5,
  0,
  1e-300,
  0.5,
  1,
  1.5,
  2,
  255,
  256,
  2 ** 53,
  2 ** 54,
  1e300,
  Infinity,
  '',
  '\0',
  '\0a',
  'a',
  'a\0',
  'a\0b',
  'a\u0001',
  'aa',
  'b',
  'ä',
  '\u{ffff}',
  '\u{1f600}',
  {},
  { a: 1 },
  { a: 2 },
  { a: 'x' },
  { b: 0 },
  { a: 1, b: 1 },
  new Binary(Buffer.from([9])),
  new Binary(Buffer.from([0, 1])),
  new Binary(Buffer.from([0, 2])),
  new ObjectId('000000000000000000000001'),
  new ObjectId('000000000000000000000002'),
  false,
  true,
  new Date(-5),
  new Date(0),
  new Date(1),
  new Date(1e12),
];

const sign = (order: number): number => Math.sign(order);

describe('the bytes of an index key', () => {
  it('sort as MongoDB sorts the values, in both directions', () => {
    for (const a of values) {
      for (const b of values) {
        expect([a, b, sign(keyOf([a], [1]).compare(keyOf([b], [1])))]).toEqual([a, b, sign(compare(a, b))]);
        expect(sign(keyOf([a], [-1]).compare(keyOf([b], [-1])))).toBe(sign(compare(b, a)) + 0);
      }
    }
  });

  it('of several fields sort by the first that differs', () => {
    for (const a of values) {
      for (const b of values) {
        expect(sign(keyOf(['x', a, 1], [1, 1, 1]).compare(keyOf(['x', b, 0], [1, 1, 1])))).toBe(
          sign(compare(a, b)) || 1,
        );
      }
    }
  });

  it('are the same for zeros of both signs and for missing and null', () => {
    expect(keyOf([-0], [1])).toEqual(keyOf([0], [1]));
    expect(keyOf([undefined], [1])).toEqual(keyOf([null], [1]));
  });

  it('end before the first key that does not begin with them', () => {
    expect(after(Buffer.from([1, 0xff]))).toEqual(Buffer.from([2]));
    expect(after(Buffer.from([0xff]))).toBeUndefined();
  });
});
