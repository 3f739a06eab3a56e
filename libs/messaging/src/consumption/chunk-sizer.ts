/** Target time of a chunk: with one last record it must stay below `rebalanceTimeoutMs`. */
export const CHUNK_MS = 3_000;
const FIRST_SIZE = 16;

/** Sizes chunks so that each takes about `chunkMs`. Starts small: only a chunk shows a slow store. */
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
