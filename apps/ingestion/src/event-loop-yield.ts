const SLICE_MS = 10;

/** Splits long work: with all data in memory, nothing else would yield to the event loop. */
export class EventLoopYield {
  private since = performance.now();

  async yieldWhenDue(): Promise<void> {
    if (performance.now() - this.since < SLICE_MS) return;
    await new Promise<void>((resolve) => setImmediate(resolve));
    this.since = performance.now();
  }
}
