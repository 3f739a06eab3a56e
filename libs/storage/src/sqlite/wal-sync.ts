import fs, { closeSync, fsyncSync, openSync } from 'node:fs';
import { dirname } from 'node:path';

/** The name of a new file is durable only when its folder is, and so on upwards for a new folder. */
function syncFolders(path: string): void {
  for (const folder of [dirname(path), dirname(dirname(path))]) {
    const fd = openSync(folder, 'r');
    fsyncSync(fd);
    closeSync(fd);
  }
}

/**
 * Flushes the write-ahead log of a SQLite file off the event loop. The log keeps its inode while a connection of ours
 * is open, so one descriptor serves, and flushing is a matter of the inode: SQLite's own descriptor need not take part.
 * Only the log may be opened beside SQLite: closing a descriptor of the database file itself would drop the locks of
 * the whole process.
 */
export class WalSync {
  private fd: number | undefined;

  constructor(private readonly path: string) {}

  /** Resolves when all that was committed before is on disk. Call it after a commit: only then is there a log. */
  async flush(): Promise<void> {
    if (this.fd === undefined) {
      this.fd = openSync(`${this.path}-wal`, 'r+');
      syncFolders(this.path);
    }
    const fd = this.fd;
    await new Promise<void>((resolve, reject) => fs.fdatasync(fd, (error) => (error ? reject(error) : resolve())));
  }

  close(): void {
    if (this.fd !== undefined) closeSync(this.fd);
    this.fd = undefined;
  }
}
