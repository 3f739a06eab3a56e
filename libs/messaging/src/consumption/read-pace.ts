import { setTimeout as delay } from 'node:timers/promises';

/** The gap between two reads. It makes larger batches; a record that comes after a pause is read at once. */
export const READ_GAP_MS = 25;

/** The gap once BUSY_READS reads began within BUSY_WINDOW_MS: records come all the time, and few reads cost less. */
export const BUSY_READ_GAP_MS = 100;

export const BUSY_READS = 5;
export const BUSY_WINDOW_MS = 1_000;

/** Keeps the reads of one reader apart: who reads again as soon as a batch is handled gets small batches. */
export class ReadPace {
  /** When the last reads began, the earliest first. */
  private reads: readonly number[] = [];

  /** A read begins. */
  begin(): void {
    this.reads = [...this.reads, performance.now()].slice(-BUSY_READS);
  }

  /** The last read left records behind: the gap to the next one is the shorter one. */
  catchUp(): void {
    this.reads = this.reads.slice(-1);
  }

  /** Resolves when the next read may begin, or the signal is aborted. */
  async gap(signal?: AbortSignal): Promise<void> {
    const [first = -Infinity, latest = -Infinity] = [this.reads.at(-BUSY_READS), this.reads.at(-1)];
    const isBusy = latest - first < BUSY_WINDOW_MS;
    const waitMs = latest + (isBusy ? BUSY_READ_GAP_MS : READ_GAP_MS) - performance.now();
    if (waitMs > 1) await delay(waitMs, undefined, { ...(signal && { signal }) }).catch(() => undefined);
  }
}
