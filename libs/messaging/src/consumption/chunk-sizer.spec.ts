import { ChunkSizer } from './chunk-sizer';

const paceAfter = (most: number, ...chunks: readonly (readonly [settled: number, tookMs: number])[]): number => {
  const pace = new ChunkSizer(most, 3_000);
  chunks.forEach((chunk) => pace.recordChunk(...chunk));
  return pace.size;
};

describe('how many records are handed out at once', () => {
  it('begins small, and doubles with each whole chunk that was quick, up to the most', () => {
    expect([
      paceAfter(500),
      paceAfter(500, [16, 10]),
      paceAfter(500, [16, 10], [32, 1_400]),
      paceAfter(20, [16, 10], [20, 10]),
      paceAfter(3),
    ]).toEqual([16, 32, 64, 20, 3]);
  });

  it('shrinks to what the time of a chunk is enough for, and to one at last', () => {
    expect([paceAfter(500, [16, 9_600]), paceAfter(500, [16, 600_000]), paceAfter(500, [4, 3_001])]).toEqual([5, 1, 3]);
  });

  it('learns nothing from a chunk that was not whole, or neither quick nor slow', () => {
    expect([paceAfter(500, [15, 1]), paceAfter(500, [16, 1_500]), paceAfter(500, [16, 3_000])]).toEqual([16, 16, 16]);
  });
});
