import { useOfEach, type StoresUse } from './stores-use';

const before: StoresUse = {
  mongodb: { writes: 10, bytesIn: 100, bytesOut: 200, bytesWritten: 300, bytesKept: 400 },
  topics: { a: { records: 5, bytes: 50 } },
};
const after: StoresUse = {
  mongodb: { writes: 20, bytesIn: 300, bytesOut: 500, bytesWritten: 700, bytesKept: 900 },
  topics: { a: { records: 15, bytes: 250 }, b: { records: 10, bytes: 100 } },
};

it('says what one thing did between two readings, on new topics too', () => {
  expect(useOfEach(before, after, 10)).toEqual({
    mongodb: { writes: 1, bytesIn: 20, bytesOut: 30, bytesWritten: 40, bytesKept: 50 },
    topics: { a: { records: 1, bytes: 20 }, b: { records: 1, bytes: 10 } },
  });
});

it('says nothing where nothing could be read, or nothing was done', () => {
  expect([useOfEach(null, after, 10), useOfEach(before, null, 10), useOfEach(before, after, 0)]).toEqual([
    null,
    null,
    null,
  ]);
});
