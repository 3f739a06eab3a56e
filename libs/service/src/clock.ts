/** The source of the time for every time-dependent rule (decision 10). */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };

/** A clock that only `advance` moves. */
export class ManualClock implements Clock {
  private nowMs: number;

  constructor(start: Date) {
    this.nowMs = start.getTime();
  }

  now(): Date {
    return new Date(this.nowMs);
  }

  advance(ms: number): void {
    this.nowMs += ms;
  }
}
