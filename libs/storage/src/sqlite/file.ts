import { basename } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { DatabaseSync } from 'node:sqlite';
import { Checkpoints } from './checkpoints';
import { connect } from './connect';
import { DiskWatch } from './disk-watch';
import { asError, commitGroup } from './group';
import type { WriteOutcome, QueuedWrite } from './group';
import { isBusy, SqliteFileUnusable } from './sqlite-errors';
import { preparedStatement } from './statements';
import { takeRoom } from './take-room';
import { WalSync } from './wal-sync';

const groupLimit = 512;
const busyRetryMs = 10;
const busyRetries = 500;
/** More than the largest record takes. A disk with less is full. */
const roomBytes = 4 * 1_024 * 1_024;

/** How a file is opened. */
interface SqliteFileOptions {
  /** Learns once of a failed flush: only opening the file again, in a new process, makes it usable. */
  readonly onUnusable?: (error: SqliteFileUnusable) => void;
}

/**
 * One SQLite file with group commit (decision 5). All writes that wait run in one transaction; while its log is being flushed
 * the next group gathers. A write is answered, also with an error, only after its group is on disk, and a read never
 * sees what is not. Other processes may use the same file at the same time. What was deleted or overwritten is gone
 * from the files some seconds later.
 */
export class SqliteFile {
  private waiting: QueuedWrite[] = [];
  private running: Promise<void> | undefined;
  private unusable: SqliteFileUnusable | undefined;
  private closing: Promise<void> | undefined;
  private readonly wal: WalSync;
  private readonly checkpoints: Checkpoints;
  private readonly disk = new DiskWatch(() => this.tryWrite());

  private constructor(
    private readonly path: string,
    private readonly writer: DatabaseSync,
    private readonly reader: DatabaseSync,
    private readonly options: SqliteFileOptions,
  ) {
    this.wal = new WalSync(path);
    this.checkpoints = new Checkpoints(writer, () => this.running === undefined);
  }

  /** Opens or creates the file, its folder included. Throws SQLite's error where that is impossible. */
  static open(path: string, options: SqliteFileOptions = {}): SqliteFile {
    const { writer, reader } = connect(path);
    return new SqliteFile(path, writer, reader, options);
  }

  /** Reads at once. Sees what is durable only. */
  read<T>(fn: (db: DatabaseSync) => T): T {
    if (this.unusable) throw this.unusable;
    return fn(this.reader);
  }

  /**
   * Queues a write. `fn` may throw only before its first change: nothing undoes it. The promise rejects with its error once the
   * group is durable, with SQLite's busy error when another process holds the file for more than 5 s, and with
   * SqliteFileUnusable after a failed flush, for good: what is on disk is then unknown.
   */
  write<T>(fn: (db: DatabaseSync) => T): Promise<T> {
    const refused = this.unusable ?? (this.closing && new SqliteFileUnusable('the file is closed'));
    if (refused) return Promise.reject(refused);
    return new Promise<T>((resolve, reject) => {
      const settle = (outcome: WriteOutcome): void => {
        if ('error' in outcome) reject(outcome.error);
        else resolve(outcome.value as T);
      };
      this.waiting.push({ work: fn, settle });
      this.running ??= this.drain();
    });
  }

  /** False from a write that found the disk full or failing until one succeeds, which is tried each second. */
  get isWritable(): boolean {
    return this.disk.isWritable;
  }

  /** Rejects where the file does not take writes. */
  async ping(): Promise<void> {
    if (!this.isWritable) throw new Error('the disk is full or fails');
    await this.write((db) => db.exec('SELECT 1'));
  }

  /**
   * Setting the version, which nothing reads, writes one page; a commit without a change writes nothing. The log keeps its
   * size while it is written from its beginning again, so a page may fit in it on a full disk: room is taken first.
   */
  private async tryWrite(): Promise<void> {
    await takeRoom(`${this.path}-room`, roomBytes);
    await this.write((db) => db.exec('PRAGMA user_version = 0'));
  }

  close(): Promise<void> {
    return (this.closing ??= this.finish());
  }

  private async finish(): Promise<void> {
    await this.running;
    this.unusable ??= new SqliteFileUnusable('the file is closed');
    this.disk.close();
    this.checkpoints.close();
    this.reader.close();
    this.writer.close();
    this.wal.close();
  }

  private async drain(): Promise<void> {
    // One turn of the event loop lets everything that was received together share the first transaction.
    await new Promise(setImmediate);
    while (this.waiting.length > 0) {
      const group = this.waiting.splice(0, groupLimit);
      const outcomes = await this.run(group).catch((error: unknown) => group.map(() => ({ error: asError(error) })));
      this.disk.afterGroup(outcomes);
      group.forEach((write, n) => write.settle(outcomes[n] as WriteOutcome));
    }
    this.running = undefined;
  }

  private async run(group: readonly QueuedWrite[]): Promise<WriteOutcome[]> {
    if (this.unusable) throw this.unusable;
    await this.begin();
    try {
      // Readers stay on the state before this group until it is durable.
      this.reader.exec('BEGIN; SELECT 1 FROM sqlite_schema');
      const outcomes = commitGroup(this.writer, group);
      await this.flush();
      return outcomes;
    } finally {
      if (this.writer.isTransaction) this.writer.exec('ROLLBACK');
      if (this.reader.isTransaction) preparedStatement(this.reader, 'COMMIT').run();
      this.checkpoints.afterGroup();
    }
  }

  private async begin(): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        preparedStatement(this.writer, 'BEGIN IMMEDIATE').run();
        return;
      } catch (error) {
        if (!isBusy(error) || attempt === busyRetries) throw error;
        await delay(busyRetryMs);
      }
    }
  }

  private async flush(): Promise<void> {
    try {
      await this.wal.flush();
    } catch (cause) {
      this.unusable = new SqliteFileUnusable(`${basename(this.path)}-wal could not be flushed to disk`, { cause });
      this.options.onUnusable?.(this.unusable);
      throw this.unusable;
    }
  }
}
