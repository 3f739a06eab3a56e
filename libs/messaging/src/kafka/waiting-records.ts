import { PublishRefused } from '../errors';

export interface WaitingLimits {
  readonly maxRecords: number;
  readonly maxBytes: number;
  readonly refuseAfterMs: number;
}

/** Counts unacknowledged records and refuses records beyond the limits (decision 6). */
export class WaitingRecords {
  private records = 0;
  private bytes = 0;
  private lastProgressMs = 0;

  constructor(
    private readonly limits: WaitingLimits,
    private readonly clock: () => number,
  ) {}

  get count(): number {
    return this.records;
  }

  /** False when records wait and nothing was acknowledged within the limit's time. */
  get progressing(): boolean {
    return this.records === 0 || this.clock() - this.lastProgressMs < this.limits.refuseAfterMs;
  }

  /** Admits records or throws PublishRefused. An empty queue admits a batch of any size. */
  admit(records: number, bytes: number): void {
    if (!this.progressing) throw new PublishRefused('away', 'the log is away');
    const full = this.records + records > this.limits.maxRecords || this.bytes + bytes > this.limits.maxBytes;
    if (full && this.records > 0) throw new PublishRefused('full', 'too many records wait for the log');
    if (this.records === 0) this.lastProgressMs = this.clock();
    this.records += records;
    this.bytes += bytes;
  }

  acknowledged(records: number, bytes: number): void {
    this.lastProgressMs = this.clock();
    this.release(records, bytes);
  }

  release(records: number, bytes: number): void {
    this.records -= records;
    this.bytes -= bytes;
  }
}
