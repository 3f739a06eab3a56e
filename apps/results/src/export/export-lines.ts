import { BrokenExport, type ExportItem } from './export-source';

const LONGEST_LINE_BYTES = 16_777_216;
const NEWLINE = 0x0a;

/** Cuts a stream of bytes into its lines. Throws BrokenExport for one that is too long to be held, or has no end. */
export async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let begun: Uint8Array[] = [];
  let begunBytes = 0;
  for await (const chunk of chunks) {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    let from = 0;
    for (let to = bytes.indexOf(NEWLINE); to !== -1; to = bytes.indexOf(NEWLINE, from)) {
      const end = bytes.subarray(from, to);
      // A line is put together once, when its end has come: a long one is not copied anew with each chunk of it.
      yield begunBytes === 0 ? end.toString('utf8') : Buffer.concat([...begun, end]).toString('utf8');
      [begun, begunBytes] = [[], 0];
      from = to + 1;
    }
    if (from === bytes.length) continue;
    begun.push(bytes.subarray(from));
    begunBytes += bytes.length - from;
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
  if (!Array.isArray(subjects) || subjects.some((one) => typeof one !== 'string' || one === '')) throw new BrokenExport('the subjects are no list of names');
  return subjects as string[];
}
