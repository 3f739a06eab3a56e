const PROBE_GAP_MS = 1_000;

/** Who is told when the database fails the limits, and when it is back: once each, however many calls come meanwhile. */
export interface Tells {
  warn(fields: object, message: string): void;
  info(fields: object, message: string): void;
}

/** Whether the database is too slow or away for the budgets of a service. Times in milliseconds since 1970. */
export class Outage {
  private since: number | undefined;
  private probedAt = 0;

  constructor(
    private readonly tells: Tells,
    private readonly clock: () => number,
  ) {}

  get isOn(): boolean {
    return this.since !== undefined;
  }

  begin(error: unknown): void {
    if (this.isOn) return;
    this.since = this.probedAt = this.clock();
    this.tells.warn({ error }, 'Rate limits hold for this process alone, the database does not answer in time');
  }

  end(): void {
    if (this.since === undefined) return;
    this.tells.info({ outageMs: this.clock() - this.since }, 'Rate limits hold over all processes again');
    this.since = undefined;
  }

  /** Whether it is time to look if the database is back; true for one who asks, once a second. */
  mayProbe(): boolean {
    const now = this.clock();
    if (now < this.probedAt + PROBE_GAP_MS) return false;
    this.probedAt = now;
    return true;
  }
}
