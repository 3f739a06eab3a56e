import { setTimeout as sleep } from 'node:timers/promises';

const MINUTE_MS = 60_000;

/** Lets so many calls through in any minute, and none while the processor wants a pause. Zero: no limit. */
export class Pace {
  /** How many calls had to wait for their turn. */
  waits = 0;
  private readonly starts: number[] = [];
  private pausedUntil = 0;

  constructor(
    private readonly callsPerMinute: number,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Waits for a turn and takes it. */
  async turn(): Promise<void> {
    if (this.waitMs() > 0) this.waits += 1;
    for (;;) {
      const waitMs = this.waitMs();
      if (waitMs <= 0) break;
      await sleep(waitMs);
    }
    this.starts.push(this.now());
  }

  /** How long the next call has to wait; not above 0: it may go. */
  waitMs(): number {
    const now = this.now();
    while (this.starts[0] !== undefined && this.starts[0] <= now - MINUTE_MS) this.starts.shift();
    const isFull = this.callsPerMinute > 0 && this.starts.length >= this.callsPerMinute;
    const windowMs = isFull ? (this.starts[0] ?? now) + MINUTE_MS - now : 0;
    return Math.max(windowMs, this.pausedUntil - now);
  }

  /** No call starts before so many milliseconds from now. */
  pause(waitMs: number): void {
    this.pausedUntil = Math.max(this.pausedUntil, this.now() + waitMs);
  }
}
