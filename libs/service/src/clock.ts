/** The source of the time for every rule that depends on it (decision 10). */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };

/** A clock that only `advance` moves, so that a test passes 7 days in milliseconds. */
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
