import type { WriteOutcome } from './group';
import { isDiskFault, SqliteFileUnusable } from './sqlite-errors';

const retryMs = 1_000;

/** Whether a file takes writes: no longer after one found the disk full or failing. Then a write is tried each second. */
export class DiskWatch {
  private timer: NodeJS.Timeout | undefined;
  private hasFault = false;
  private isClosed = false;

  /** `tryWrite` must succeed only where any other write would. */
  constructor(private readonly tryWrite: () => Promise<unknown>) {}

  get isWritable(): boolean {
    return !this.hasFault;
  }

  afterGroup(outcomes: readonly WriteOutcome[]): void {
    if (!outcomes.some((outcome) => 'error' in outcome && isDiskFault(outcome.error))) return;
    this.hasFault = true;
    this.arm();
  }

  close(): void {
    this.isClosed = true;
    clearTimeout(this.timer);
  }

  private arm(): void {
    if (this.isClosed) return;
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      void this.retry();
    }, retryMs).unref();
  }

  private async retry(): Promise<void> {
    try {
      await this.tryWrite();
      this.hasFault = false;
    } catch (error) {
      if (!(error instanceof SqliteFileUnusable)) this.arm();
    }
  }
}
