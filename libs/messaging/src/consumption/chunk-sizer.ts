/**
 * How long a chunk of records may take: a member must answer a rebalance within its `rebalanceTimeoutMs`, with a record
 * that began last still to end.
 */
export const CHUNK_MS = 3_000;
const FIRST_SIZE = 16;

/**
 * How many records to hand out at once, so that a chunk takes about `chunkMs` whatever one record takes. It begins
 * small, for a slow store shows only in the first chunk.
 */
export class ChunkSizer {
  private current: number;

  constructor(
    private readonly maxSize: number,
    private readonly chunkMs: number,
  ) {
    this.current = Math.min(FIRST_SIZE, maxSize);
  }

  get size(): number {
    return this.current;
  }

  recordChunk(settled: number, tookMs: number): void {
    if (tookMs > this.chunkMs)
      this.current = Math.max(1, Math.min(this.maxSize, Math.floor((settled * this.chunkMs) / tookMs)));
    else if (settled >= this.current && tookMs < this.chunkMs / 2)
      this.current = Math.min(this.maxSize, this.current * 2);
  }
}
