/** Where the time comes from, wherever a rule depends on it (D10). */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };

/** A clock that moves only when told to, so that a test lives through 7 days in milliseconds. */
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
