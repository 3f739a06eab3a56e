import type { ExportItem } from '@opendsr-service/contracts';
import { BrokenExport } from '../export/export-source';

type End = Extract<ExportItem, { end: unknown }>['end'];

/** Lines are joined to pieces of this size, because a stream event for each line costs more than the line. */
const PIECE_CHARS = 65_536;

/** Reads an export and checks its order and counts: subjects, profiles, batches, end. */
export class ExportReader {
  private readonly items: AsyncIterator<ExportItem>;
  private next: ExportItem | undefined;
  private named: readonly string[] | undefined;
  private profilesRead = 0;
  private batchesRead = 0;

  constructor(export_: AsyncIterable<ExportItem>) {
    this.items = export_[Symbol.asyncIterator]();
  }

  /** Throws BrokenExport if the export does not begin with its subjects: no erasure could find the archive. */
  async subjects(): Promise<readonly string[]> {
    if (this.named) return this.named;
    const item = await this.readItem();
    if (!('subjects' in item)) throw new BrokenExport('the export does not begin with its subjects');
    return (this.named = item.subjects);
  }

  /** Throws BrokenExport if the counts are wrong. */
  async end(): Promise<End | undefined> {
    const item = await this.peek();
    if (!('end' in item)) return undefined;
    const { profiles, batches } = item.end;
    if (profiles !== this.profilesRead || batches !== this.batchesRead)
      throw new BrokenExport('the counts of the end do not match the export');
    return item.end;
  }

  async *profiles(): AsyncGenerator<string> {
    const subjects = await this.subjects();
    for (let item = await this.peek(); 'profile' in item || 'part' in item; item = await this.peek()) {
      this.profilesRead += 1;
      if (this.profilesRead > subjects.length) throw new BrokenExport('the export has more profiles than subjects');
      if ('part' in item) yield* this.parts();
      else {
        this.next = undefined;
        yield `${item.profile}\n`;
      }
    }
  }

  async *batches(limit: number): AsyncGenerator<string> {
    let piece = '';
    for (let n = 0; n < limit; n += 1) {
      const item = this.next ?? (await this.peek());
      if ('end' in item) break;
      if (!('batch' in item)) throw new BrokenExport('a batch is followed by another kind of item');
      this.next = undefined;
      this.batchesRead += 1;
      piece += `${item.batch}\n`;
      if (piece.length < PIECE_CHARS) continue;
      yield piece;
      piece = '';
    }
    if (piece !== '') yield piece;
  }

  async close(): Promise<void> {
    await this.items.return?.();
  }

  /** The line of a profile that comes in parts. */
  private async *parts(): AsyncGenerator<string> {
    for (let isLast = false; !isLast;) {
      const item = await this.peek();
      if (!('part' in item)) throw new BrokenExport('a profile has no end');
      this.next = undefined;
      isLast = item.isLast === true;
      yield isLast ? `${item.part}\n` : item.part;
    }
  }

  private async peek(): Promise<ExportItem> {
    if (!this.named) await this.subjects();
    return (this.next ??= await this.readItem());
  }

  private async readItem(): Promise<ExportItem> {
    const result = await this.items.next();
    if (result.done) throw new BrokenExport('the export stopped before its end item');
    return result.value;
  }
}
