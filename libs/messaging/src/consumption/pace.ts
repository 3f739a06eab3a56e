/** How long a chunk of records may take: a member must answer a rebalance within its `rebalanceTimeoutMs`, with a record that began last still to end. */
export const CHUNK_MS = 3_000;
const FIRST_SIZE = 16;

/** How many records to hand out at once, so that a chunk takes about `chunkMs` whatever one record takes. It begins small, for a slow store shows only in the first chunk. */
export class Pace {
  private next: number;

  constructor(
    private readonly most: number,
    private readonly chunkMs: number,
  ) {
    this.next = Math.min(FIRST_SIZE, most);
  }

  get size(): number {
    return this.next;
  }

  /** A chunk of which `settled` records were answered for took so long. */
  took(settled: number, tookMs: number): void {
    if (tookMs > this.chunkMs)
      this.next = Math.max(1, Math.min(this.most, Math.floor((settled * this.chunkMs) / tookMs)));
    else if (settled >= this.next && tookMs < this.chunkMs / 2) this.next = Math.min(this.most, this.next * 2);
  }
}
