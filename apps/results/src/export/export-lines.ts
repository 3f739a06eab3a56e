import type { ExportItem } from '@opendsr-service/contracts';
import { BrokenExport } from './export-source';

const LONGEST_LINE_BYTES = 16_777_216;
const NEWLINE = 0x0a;

/**
 * Splits bytes into lines, and yields the lines of a chunk together. Throws BrokenExport for a line that is too long or
 * has no end.
 */
export async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<readonly string[]> {
  let begun: Uint8Array[] = [];
  let begunBytes = 0;
  for await (const chunk of chunks) {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    const last = bytes.lastIndexOf(NEWLINE);
    if (last !== -1) {
      // Joined once per line: a long line is not copied again with each chunk.
      yield Buffer.concat([...begun, bytes.subarray(0, last)])
        .toString('utf8')
        .split('\n');
      [begun, begunBytes] = [[], 0];
    }
    begun.push(bytes.subarray(last + 1));
    begunBytes += bytes.length - last - 1;
    if (begunBytes > LONGEST_LINE_BYTES) throw new BrokenExport('a line is too long');
  }
  if (begunBytes > 0) throw new BrokenExport('the last line has no line break');
}

const SUBJECTS = '{"subjects":';
const PROFILE = '{"profile":';
const BATCH = '{"batch":';

/** Personal data stays text, so that numbers keep all digits. */
export function itemOf(line: string): ExportItem {
  if (line.startsWith(BATCH)) return { batch: line.slice(BATCH.length, -1) };
  if (line.startsWith(PROFILE)) return { profile: line.slice(PROFILE.length, -1) };
  if (line.startsWith(SUBJECTS)) return { subjects: subjectsOf(line) };
  if (line.startsWith('{"end":') || line.startsWith('{"part":')) return JSON.parse(line) as ExportItem;
  throw new BrokenExport('a line has an unknown kind');
}

function subjectsOf(line: string): string[] {
  const { subjects } = JSON.parse(line) as { subjects: unknown };
  if (!Array.isArray(subjects) || subjects.some((one) => typeof one !== 'string' || one === ''))
    throw new BrokenExport('the subjects are not a list of strings');
  return subjects as string[];
}
