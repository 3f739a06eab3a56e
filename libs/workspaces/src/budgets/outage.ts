/** It is over when there was no trouble for so long: one slow workspace among others must not fill the log. */
const RECOVERY_MS = 10_000;

/** Who is told when the database fails the limits, and when it is back: once each, however many calls come meanwhile. */
export interface OutageLogger {
  warn(fields: object, message: string): void;
  info(fields: object, message: string): void;
}

/** What is said of a database that is too slow or away for the budgets of a service. Times in milliseconds since 1970. */
export class Outage {
  private sinceMs: number | undefined;
  private lastMs = 0;

  constructor(
    private readonly logger: OutageLogger,
    private readonly clock: () => number,
  ) {}

  /** Call it each time that the database failed. */
  recordFailure(error: unknown): void {
    this.lastMs = this.clock();
    if (this.sinceMs !== undefined) return;
    this.sinceMs = this.lastMs;
    this.logger.warn({ error }, 'Rate limits hold for this process alone where the database does not answer in time');
  }

  /** Call it each time that the database answered. */
  recordSuccess(): void {
    const quietMs = this.clock() - this.lastMs;
    // A clock that was set back says nothing of how long it was quiet.
    if (this.sinceMs === undefined || (quietMs >= 0 && quietMs < RECOVERY_MS)) return;
    this.logger.info({ outageMs: this.lastMs - this.sinceMs }, 'Rate limits hold over all processes again');
    this.sinceMs = undefined;
  }
}
