import { PublishRefused } from '../errors';

interface WaitingLimits {
  readonly maxRecords: number;
  readonly maxBytes: number;
  readonly refuseAfterMs: number;
}

export const defaultWaitingLimits: WaitingLimits = {
  maxRecords: 10_000,
  maxBytes: 16 * 1024 * 1024,
  refuseAfterMs: 1_000,
};

/** Counts unacknowledged records and refuses records beyond the limits (decision 6). */
export class WaitingRecords {
  private records = 0;
  private bytes = 0;
  /** When the first records after the last acknowledgement were admitted. */
  private waitingSinceMs: number | undefined;
  private lastAdmittedMs = -Infinity;

  constructor(
    private readonly limits: WaitingLimits,
    private readonly clock: () => number,
  ) {}

  get count(): number {
    return this.records;
  }

  /**
   * False when records wait and nothing was acknowledged within the limit's time. Records that waited before the last
   * acknowledgement do not count: one partition may take nothing while the others do.
   */
  get progressing(): boolean {
    return this.waitingSinceMs === undefined || this.clock() - this.waitingSinceMs < this.limits.refuseAfterMs;
  }

  /**
   * Admits records or throws PublishRefused. An empty queue admits a batch of any size. Without progress one batch is
   * admitted as a trial each time the limit's time is over, for its partition may be one that takes records.
   */
  admit(records: number, bytes: number): void {
    const now = this.clock();
    if (!this.progressing && now - this.lastAdmittedMs < this.limits.refuseAfterMs)
      throw new PublishRefused('away', 'the log is away');
    const full = this.records + records > this.limits.maxRecords || this.bytes + bytes > this.limits.maxBytes;
    if (full && this.records > 0) throw new PublishRefused('full', 'too many records wait for the log');
    this.lastAdmittedMs = now;
    this.waitingSinceMs ??= now;
    this.records += records;
    this.bytes += bytes;
  }

  acknowledged(records: number, bytes: number): void {
    this.waitingSinceMs = undefined;
    this.release(records, bytes);
  }

  release(records: number, bytes: number): void {
    this.records -= records;
    this.bytes -= bytes;
    if (this.records === 0) this.waitingSinceMs = undefined;
  }
}
