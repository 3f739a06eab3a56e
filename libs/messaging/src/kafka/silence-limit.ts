const GROWS_TO = 8;

/** How long a consumer may give no sign before it is made anew. Doubles each time that it strikes, up to eightfold, until a position is committed or there is nothing to handle: who is only slow must come to its end at last. */
export class SilenceLimit {
  private nextMs: number;

  constructor(private readonly firstMs: number) {
    this.nextMs = firstMs;
  }

  get ms(): number {
    return this.nextMs;
  }

  struck(): void {
    this.nextMs = Math.min(this.nextMs * 2, this.firstMs * GROWS_TO);
  }

  progressed(): void {
    this.nextMs = this.firstMs;
  }
}
