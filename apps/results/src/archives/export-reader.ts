import { BrokenExport, type ExportItem } from '../export/export-source';

type End = Extract<ExportItem, { end: unknown }>['end'];

/** Reads an export item by item and holds it to its word: profiles, then batches, then an end that counts them. */
export class ExportReader {
  private readonly items: AsyncIterator<ExportItem>;
  private next: ExportItem | undefined;
  private profilesRead = 0;
  private batchesRead = 0;

  constructor(export_: AsyncIterable<ExportItem>) {
    this.items = export_[Symbol.asyncIterator]();
  }

  /** The end, where it has come. Throws BrokenExport where it miscounts. */
  async end(): Promise<End | undefined> {
    const item = await this.peek();
    if (!('end' in item)) return undefined;
    const { profiles, batches } = item.end;
    if (profiles !== this.profilesRead || batches !== this.batchesRead) throw new BrokenExport('the end counts other than what came');
    return item.end;
  }

  async *profiles(): AsyncGenerator<string> {
    for (let item = await this.peek(); 'profile' in item; item = await this.peek()) {
      this.next = undefined;
      this.profilesRead += 1;
      yield `${item.profile}\n`;
    }
  }

  /** At most `limit` of the batches that are left. */
  async *batches(limit: number): AsyncGenerator<string> {
    for (let n = 0; n < limit; n += 1) {
      const item = await this.peek();
      if ('profile' in item) throw new BrokenExport('a profile came after a batch');
      if (!('batch' in item)) return;
      this.next = undefined;
      this.batchesRead += 1;
      yield `${item.batch}\n`;
    }
  }

  /** Lets the source go, wherever the reading ended. */
  async close(): Promise<void> {
    await this.items.return?.();
  }

  private async peek(): Promise<ExportItem> {
    if (this.next) return this.next;
    const result = await this.items.next();
    if (result.done) throw new BrokenExport('the export ended before its end');
    return (this.next = result.value);
  }
}
