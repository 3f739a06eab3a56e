/**
 * Delays that double from `firstMs` to `mostMs`, less up to a quarter at random, so that replicas do not retry in step.
 */
export class Backoff {
  private nextMs: number;

  constructor(
    private readonly firstMs: number,
    private readonly mostMs: number,
  ) {
    this.nextMs = firstMs;
  }

  next(): number {
    const waitMs = this.nextMs;
    this.nextMs = Math.min(this.nextMs * 2, this.mostMs);
    return Math.round(waitMs * (1 - Math.random() / 4));
  }

  reset(): void {
    this.nextMs = this.firstMs;
  }
}
