import type { DatabaseSync } from 'node:sqlite';
import { sqliteCode } from './sqlite-errors';
import { preparedStatement } from './statements';

const walLimitPages = 2_000;
const emptyAfterMs = 5_000;

/**
 * Moves what the log of a file holds into the file itself. Not only does the log not grow: it also keeps older states
 * of the pages, so what was deleted, the keys of erased people among it, is gone from the files only once the log was
 * emptied. That is done by the first group that ends 5 s or more after a write, or at that time where none is running.
 */
export class Checkpoints {
  private timer: NodeJS.Timeout | undefined;
  private isDue = false;

  /** `isIdle`: no group is running, so that no reader of ours keeps the log in use. */
  constructor(
    private readonly writer: DatabaseSync,
    private readonly isIdle: () => boolean,
  ) {}

  /** Call it when the log is flushed and has no reader of ours: its pages go to the file, and the log restarts. */
  afterGroup(): void {
    if (this.isDue) {
      this.empty();
      return;
    }
    const pages = this.checkpoint('NOOP')?.log ?? 0;
    if (pages > walLimitPages) this.checkpoint('PASSIVE');
    if (pages > 0) this.arm();
  }

  /** Empties the log one last time, which closing does by itself only where no other process has the file open. */
  close(): void {
    if (this.timer) this.empty();
    clearTimeout(this.timer);
  }

  private arm(): void {
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      if (this.isIdle()) this.empty();
      else this.isDue = true;
    }, emptyAfterMs).unref();
  }

  /** Another process that reads from the log keeps it from being emptied; then it is tried again. */
  private empty(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.isDue = false;
    if (this.checkpoint('TRUNCATE')?.busy !== 0) this.arm();
  }

  /** Undefined where SQLite fails: acknowledged writes lie in the log, so it is retried. */
  private checkpoint(mode: 'NOOP' | 'PASSIVE' | 'TRUNCATE'): { busy: number; log: number } | undefined {
    try {
      const state = preparedStatement(this.writer, `PRAGMA wal_checkpoint(${mode})`).get();
      return { busy: Number(state?.['busy']), log: Number(state?.['log']) };
    } catch (error) {
      if (sqliteCode(error) === undefined) throw error;
      return undefined;
    }
  }
}
