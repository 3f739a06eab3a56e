import { BrokenExport, type ExportItem } from './export-source';

const LONGEST_LINE_BYTES = 16_777_216;
const NEWLINE = 0x0a;

/**
 * Cuts a stream of bytes into its lines, and gives together what ended in one chunk: a turn for each line would cost more than the line.
 * Throws BrokenExport for one that is too long to be held, or has no end.
 */
export async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<readonly string[]> {
  let begun: Uint8Array[] = [];
  let begunBytes = 0;
  for await (const chunk of chunks) {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    const last = bytes.lastIndexOf(NEWLINE);
    if (last !== -1) {
      // A line is put together once, when its end has come: a long one is not copied anew with each chunk of it.
      yield Buffer.concat([...begun, bytes.subarray(0, last)])
        .toString('utf8')
        .split('\n');
      [begun, begunBytes] = [[], 0];
    }
    begun.push(bytes.subarray(last + 1));
    begunBytes += bytes.length - last - 1;
    if (begunBytes > LONGEST_LINE_BYTES) throw new BrokenExport('a line is too long');
  }
  if (begunBytes > 0) throw new BrokenExport('the last line has no end');
}

const SUBJECTS = '{"subjects":';
const PROFILE = '{"profile":';
const BATCH = '{"batch":';

/** Reads one line of ingestion's export. What it tells of a person stays text, so that no number in it loses a digit. */
export function itemOf(line: string): ExportItem {
  if (line.startsWith(BATCH)) return { batch: line.slice(BATCH.length, -1) };
  if (line.startsWith(PROFILE)) return { profile: line.slice(PROFILE.length, -1) };
  if (line.startsWith(SUBJECTS)) return { subjects: subjectsOf(line) };
  if (line.startsWith('{"end":')) return JSON.parse(line) as ExportItem;
  throw new BrokenExport('a line is of no known kind');
}

function subjectsOf(line: string): string[] {
  const { subjects } = JSON.parse(line) as { subjects: unknown };
  if (!Array.isArray(subjects) || subjects.some((one) => typeof one !== 'string' || one === ''))
    throw new BrokenExport('the subjects are no list of names');
  return subjects as string[];
}
