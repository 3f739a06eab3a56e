/** It is over when there was no trouble for so long: one slow workspace among others must not fill the log. */
const QUIET_MS = 10_000;

/** Who is told when the database fails the limits, and when it is back: once each, however many calls come meanwhile. */
export interface Tells {
  warn(fields: object, message: string): void;
  info(fields: object, message: string): void;
}

/** What is said of a database that is too slow or away for the budgets of a service. Times in milliseconds since 1970. */
export class Outage {
  private sinceMs: number | undefined;
  private lastMs = 0;

  constructor(
    private readonly tells: Tells,
    private readonly clock: () => number,
  ) {}

  /** Call it each time that the database failed. */
  seen(error: unknown): void {
    this.lastMs = this.clock();
    if (this.sinceMs !== undefined) return;
    this.sinceMs = this.lastMs;
    this.tells.warn({ error }, 'Rate limits hold for this process alone where the database does not answer in time');
  }

  /** Call it each time that the database answered. */
  past(): void {
    const quietMs = this.clock() - this.lastMs;
    // A clock that was set back says nothing of how long it was quiet.
    if (this.sinceMs === undefined || (quietMs >= 0 && quietMs < QUIET_MS)) return;
    this.tells.info({ outageMs: this.lastMs - this.sinceMs }, 'Rate limits hold over all processes again');
    this.sinceMs = undefined;
  }
}
