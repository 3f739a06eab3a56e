import { ChunkSizer } from './chunk-sizer';

const paceAfter = (most: number, ...chunks: readonly (readonly [settled: number, tookMs: number])[]): number => {
  const pace = new ChunkSizer(most, 3_000);
  chunks.forEach((chunk) => pace.recordChunk(...chunk));
  return pace.size;
};

describe('the size of a chunk', () => {
  it('begins small, and doubles after each quick whole chunk, up to the maximum', () => {
    expect([
      paceAfter(500),
      paceAfter(500, [16, 10]),
      paceAfter(500, [16, 10], [32, 1_400]),
      paceAfter(20, [16, 10], [20, 10]),
      paceAfter(3),
    ]).toEqual([16, 32, 64, 20, 3]);
  });

  it('shrinks to the number of records that fit the time of a chunk, at least one', () => {
    expect([paceAfter(500, [16, 9_600]), paceAfter(500, [16, 600_000]), paceAfter(500, [4, 3_001])]).toEqual([5, 1, 3]);
  });

  it('does not change after a chunk that was not whole, or neither quick nor slow', () => {
    expect([paceAfter(500, [15, 1]), paceAfter(500, [16, 1_500]), paceAfter(500, [16, 3_000])]).toEqual([16, 16, 16]);
  });
});
