import { BrokenExport, type ExportItem } from './export-source';

const LONGEST_LINE_BYTES = 16_777_216;
const NEWLINE = 0x0a;

/** Cuts a stream of bytes into its lines. Throws BrokenExport for one that is too long to be held, or has no end. */
export async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let rest = Buffer.alloc(0);
  for await (const chunk of chunks) {
    const bytes = Buffer.concat([rest, chunk]);
    let from = 0;
    for (let to = bytes.indexOf(NEWLINE); to !== -1; to = bytes.indexOf(NEWLINE, from)) {
      yield bytes.toString('utf8', from, to);
      from = to + 1;
    }
    rest = bytes.subarray(from);
    if (rest.length > LONGEST_LINE_BYTES) throw new BrokenExport('a line is too long');
  }
  if (rest.length > 0) throw new BrokenExport('the last line has no end');
}

const PROFILE = '{"profile":';
const BATCH = '{"batch":';

/** Reads one line of ingestion's export. What it tells stays text, so that no number in it loses a digit. */
export function itemOf(line: string): ExportItem {
  if (line.startsWith(PROFILE)) return { profile: line.slice(PROFILE.length, -1) };
  if (line.startsWith(BATCH)) return { batch: line.slice(BATCH.length, -1) };
  if (line.startsWith('{"end":')) return JSON.parse(line) as ExportItem;
  throw new BrokenExport('a line is of no known kind');
}
