/** An outage ends after this time without failure, so that one slow workspace does not fill the log. */
const RECOVERY_MS = 10_000;

export interface OutageLogger {
  warn(fields: { readonly error: unknown }, message: string): void;
  info(fields: { readonly durationMs: number }, message: string): void;
}

/** Logs the begin and end of an outage of the database once each. */
export class Outage {
  private sinceMs: number | undefined;
  private lastMs = 0;

  constructor(
    private readonly logger: OutageLogger,
    private readonly clock: () => number,
  ) {}

  recordFailure(error: unknown): void {
    this.lastMs = this.clock();
    if (this.sinceMs !== undefined) return;
    this.sinceMs = this.lastMs;
    this.logger.warn({ error }, 'Rate limits hold for this process alone because the database does not answer in time');
  }

  recordSuccess(): void {
    const quietMs = this.clock() - this.lastMs;
    if (this.sinceMs === undefined || (quietMs >= 0 && quietMs < RECOVERY_MS)) return;
    this.logger.info({ durationMs: this.lastMs - this.sinceMs }, 'Rate limits hold over all processes again');
    this.sinceMs = undefined;
  }
}
