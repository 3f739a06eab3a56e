/** Long enough to get on, short enough for whoever waits beside it. */
const SLICE_MS = 10;

/** Cuts long work into turns: where its data is in memory already, nothing else would make it let others go first. */
export class EventLoopYield {
  private since = performance.now();

  /** Await it between two pieces. */
  async yieldWhenDue(): Promise<void> {
    if (performance.now() - this.since < SLICE_MS) return;
    await new Promise<void>((resolve) => setImmediate(resolve));
    this.since = performance.now();
  }
}
