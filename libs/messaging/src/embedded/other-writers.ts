import { preparedStatement, type SqliteFile } from '@opendsr-service/storage';

/** How often a file is looked at. */
export const LOOK_MS = 1_000;

/** Notices what other connections wrote to a file, such as those of the command line: nothing signals that. */
export class OtherWriters {
  private readonly timer: NodeJS.Timeout;
  private seen: unknown;

  constructor(
    private readonly file: SqliteFile,
    private readonly onWritten: () => void,
  ) {
    this.seen = this.version();
    this.timer = setInterval(() => this.look(), LOOK_MS);
  }

  close(): void {
    clearInterval(this.timer);
  }

  private look(): void {
    const version = this.version();
    if (version === this.seen) return;
    this.seen = version;
    this.onWritten();
  }

  /** Undefined where the file cannot be read; who reads it next learns why. */
  private version(): unknown {
    try {
      return this.file.read((db) => preparedStatement(db, 'PRAGMA data_version').get()?.['data_version']);
    } catch {
      return undefined;
    }
  }
}
