const GROWS_TO = 8;

/**
 * Time limit for a silent consumer. Doubles with each strike, up to eightfold, until a commit or an idle fetch shows
 * progress.
 */
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
