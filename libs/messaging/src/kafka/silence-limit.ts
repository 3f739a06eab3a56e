const GROWS_TO = 8;

/** Limit of a consumer's silence. Doubles with each strike, up to eightfold, until progress. */
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
