import { publicBytes } from './public-bytes';

it('gives no byte twice, also where what was drawn ends', () => {
  const taken = Array.from({ length: 2_000 }, () => publicBytes(12));
  expect(taken.every(({ length }) => length === 12)).toBe(true);
  expect(new Set(taken.map((bytes) => bytes.toString('hex'))).size).toBe(taken.length);
  const places = taken.map(({ buffer, byteOffset }) => ({ buffer, byteOffset }));
  const overlaps = places.some((place, n) => {
    const before = places[n - 1];
    return before?.buffer === place.buffer && place.byteOffset < before.byteOffset + 12;
  });
  expect(overlaps).toBe(false);
});
